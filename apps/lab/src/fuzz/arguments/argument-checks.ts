/** Checks invariants of the argument parsers that hold for any text. */
import { findLoss, isContainer, isSameValue } from '../../conformance/same-value.ts'
import type { Checked, Fault } from '../target.ts'
import type { ArgumentSample, Known } from './argument-samples.ts'
import { type ArgumentStreamReader, checkStream } from './stream-check.ts'
import { findUnsafe } from './unsafe-value.ts'

export interface ArgumentReader {
  recoverJson(text: string): Answer
  parseArguments(text: string): Answer
  argumentStream(): ArgumentStreamReader
}

/** The parts of a parser's result that are compared. */
export type Answer =
  | { readonly ok: true; readonly value: unknown; readonly tags: readonly string[] }
  | { readonly ok: false; readonly code: string; readonly at: number; readonly excerpt: string; readonly message: string }

/** Codes for text that `JSON.parse` accepts but that our parsers refuse because of a limit. */
const LIMITS = ['forbidden_key', 'too_deep', 'too_large']
const EXCERPT = 60

export function checkSample(reader: ArgumentReader, sample: ArgumentSample): Checked {
  const { text, known } = sample
  let behaviour = 'threw'
  try {
    const json = reader.recoverJson(text)
    const args = reader.parseArguments(text)
    behaviour = `${describe(json)} / ${describe(args)}`
    const fault =
      checkAnswer('recoverJson', text, json) ??
      checkAnswer('parseArguments', text, args) ??
      checkJson(text, json, args) ??
      checkLayers(json, args) ??
      (known === undefined ? undefined : (checkKnown('recoverJson', known, json) ?? checkKnown('parseArguments', known, args))) ??
      checkStream(reader.argumentStream(), args, sample) ??
      checkPrototype()
    return fault === undefined ? { behaviour } : { behaviour, fault }
  } catch (error) {
    return { behaviour, fault: { check: 'throws', why: error instanceof Error ? (error.stack ?? error.message) : String(error) } }
  }
}

/** Returns the tags or the code, which identify a kind of result. */
function describe(answer: Answer): string {
  return answer.ok ? answer.tags.join('+') : answer.code
}

function checkAnswer(name: string, text: string, answer: Answer): Fault | undefined {
  if (answer.ok) {
    const unsafe = findUnsafe(answer.value)
    return unsafe === undefined ? undefined : { check: `${name}: safe`, why: unsafe }
  }
  const { code, at, excerpt, message } = answer
  const isWhole = code !== '' && message !== '' && excerpt.length <= EXCERPT && at >= 0 && at <= text.length
  return isWhole ? undefined : { check: `${name}: a whole refusal`, why: JSON.stringify(answer) }
}

/** Checks that JSON is left unchanged, and that other text gets a tag or is refused. */
function checkJson(text: string, json: Answer, args: Answer): Fault | undefined {
  const strict = parseStrictly(text)
  if (!strict.ok) {
    const silent = [json, args].find((answer) => answer.ok && answer.tags.length === 0)
    return silent && { check: "text that isn't JSON is tagged", why: `read without a tag as ${show(silent)}` }
  }
  const { value } = strict
  const isObject = isContainer(value) && !Array.isArray(value)
  for (const answer of isObject ? [json, args] : [json]) {
    if (!answer.ok && !LIMITS.includes(answer.code)) return { check: 'JSON is accepted', why: `refused as ${answer.code}` }
    if (answer.ok && (!isUntagged(answer.tags, text) || !isSameValue(answer.value, value)))
      return { check: 'JSON is left unchanged', why: `read as ${show(answer)}` }
    if (!answer.ok && answer.code === 'forbidden_key' && findUnsafe(value) === undefined)
      return { check: 'JSON is accepted', why: 'refused as forbidden_key, but it has no such key' }
  }
  return undefined
}

/** Returns true if there are no tags. Allows the tag `unsafe_number` for a number that JavaScript can't represent. */
function isUntagged(tags: readonly string[], json: string): boolean {
  return tags.length === 0 || (tags.join() === 'unsafe_number' && losesDigits(json))
}

function losesDigits(json: string): boolean {
  const numbers = json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/[\d.]+[eE]\+?\d+|\d{16,}/g) ?? []
  return numbers.some(
    (digits) => Number(digits) === Number.POSITIVE_INFINITY || (!/\D/.test(digits) && String(Number(digits)) !== digits),
  )
}

/** Checks that arguments are an object. If both parsers read the text as an object, the objects must be equal. */
function checkLayers(json: Answer, args: Answer): Fault | undefined {
  if (!args.ok) return undefined
  if (!isContainer(args.value) || Array.isArray(args.value)) return { check: 'arguments are an object', why: show(args) }
  const isObject = json.ok && isContainer(json.value) && !Array.isArray(json.value)
  if (!isObject || isSameValue(json.value, args.value)) return undefined
  return { check: 'both layers agree', why: `recoverJson ${show(json)}, parseArguments ${show(args)}` }
}

function checkKnown(name: string, known: Known, answer: Answer): Fault | undefined {
  if (!answer.ok) return undefined
  if ('refused' in known) return { check: `${name}: a truncated text is refused`, why: `read as ${show(answer)}` }
  if ('within' in known) {
    const isWithin = findLoss(answer.value, known.within) === undefined
    return isWithin ? undefined : { check: `${name}: the value is within what was written`, why: notAs(answer, known.within) }
  }
  return isSameValue(answer.value, known.same)
    ? undefined
    : { check: `${name}: the value is as intended`, why: notAs(answer, known.same) }
}

function notAs(answer: Answer, meant: unknown): string {
  return `read as ${show(answer)}, intended as ${JSON.stringify(meant)}`
}

function checkPrototype(): Fault | undefined {
  const added = Object.keys(Object.prototype)
  return added.length === 0 ? undefined : { check: 'Object.prototype is clean', why: added.join(', ') }
}

function parseStrictly(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}

function show(answer: Answer): string {
  return answer.ok ? `${JSON.stringify(answer.value)} (${answer.tags.join(', ') || 'no tag'})` : answer.code
}
