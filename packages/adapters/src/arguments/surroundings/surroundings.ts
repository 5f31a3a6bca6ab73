/** Handles text around the value: prose, code fences and template markers. */
import { isRecord } from '../../is-record.ts'
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, isQuote, OPEN_BRACE, OPEN_BRACKET, SEMICOLON } from '../scanner/characters.ts'
import type { Cursor } from '../scanner/cursor.ts'
import { isSame } from '../scanner/is-same.ts'
import { skipToToken } from '../scanner/skip.ts'
import { isQuotedKey } from '../tokens/quoted.ts'
import { hasWordsForData } from './left-out.ts'
import { skipMarker } from './markers.ts'

/** The text that was found around the value. */
export interface Surroundings {
  /** True if prose precedes the value. */
  readonly hasProse: boolean
  /** `call` if the value is the only argument of a function call, `assignment` if it is assigned to a variable. */
  readonly code: 'call' | 'assignment' | undefined
  /** Number of fences or backticks that were opened. */
  readonly fences: number
  /** True if a quote without a meaning precedes the value, and one follows it. */
  readonly isQuoted: boolean
}

export const BARE: Surroundings = { hasProse: false, code: undefined, fences: 0, isQuoted: false }

/** Returns the position after the opening fence at `at` and its language, or `at` if there is no fence. */
export function skipFence(text: string, at: number): number {
  const opening = /(?:`{3,}|~{3,})(?:[A-Za-z][\w+-]{0,40})?/y
  opening.lastIndex = at
  return opening.test(text) ? opening.lastIndex : at
}

/** Text that consists of a literal, which may be a value itself. */
const LITERAL = /^\s*(?:true|false|null|none|nil|nan|undefined|infinity)\b[\s.,;:!]*$/i
/** Words that withdraw the value next to them. */
const WITHDRAWN =
  /\b(?:instead|in place of|rather than|ignore|disregard|oops|correction|e\.g\.|(?:scratch|strike|skip|forget|cancel|undo) (?:that|this|it)\b|on second thought|wait(?=\s*(?:[,.!—–-]|$)))/i
/** Words that negate or doubt the value in their clause, or present it as another value, such as an example or an earlier call. */
const DOUBTED =
  /n['’]t\b|\b(?:(?:can)?not?|never\w*|nothing|refuse|decline|maybe|perhaps|might|sh(?:ould|all) I|wrong|in(?:correct|valid)|examples?|instance|samples?)\b/i
/** Conditions, and operators that make the value after them part of an expression, as in `defaults or {…}`. */
const BEFORE = /^\s*(?:if(?! needed)|unless)\b|(?:[+|&^]|\s\?\?|\b(?:or|else|if|unless|avoid|without))\s*$/i
/** Operators and conditions after the value, and words that announce a change. */
const BEHIND =
  /^(?:[+|&^?→]|(?:or|if|unless|else|but|except|once|when|after|with|without|and)\b)|\b(?:fail|chang|fix|retry|replac|confirm|approv|correct (?:it|th))/

export function isLiteralAlone(text: string): boolean {
  return LITERAL.test(text)
}

/** Returns true if the words before or behind the value withdraw it, doubt it, make it conditional or announce a change. */
export function isWithdrawn(words: string, isBehind = false): boolean {
  const part = isBehind
    ? words.split(/[.!?](?=\s)|\n/)[0]
    : words
        .trimEnd()
        .split(/[.!?,;](?=\s)|\n/)
        .at(-1)
  const near = part ?? ''
  return WITHDRAWN.test(words) || DOUBTED.test(near) || (isBehind ? BEHIND.test(words) : BEFORE.test(near))
}

/** The label that follows a call in a ReAct text. The caller's tool writes what comes after it. */
const NEXT_LABEL = /(?<=^Observation):$/i

/** Reads another value at `at`. Returns the value and the position after it. */
export type ReadNext = (at: number) => { readonly value: unknown; readonly end: number }

/** Reads the text after the value. Returns the value that is meant. Refuses text that may change its meaning. */
export function readRest(cursor: Cursor, value: unknown, around: Surroundings, readNext: ReadNext): unknown {
  const { text } = cursor
  let isAlone = true
  while (skipToToken(cursor) === true) {
    const end = endOfRemains(cursor, around)
    if (end > cursor.at) cursor.take(end)
    else if (isAlone && isContainerAt(text, cursor.at)) return readSecond(cursor, value, readNext)
    else return readProse(cursor, value, isAlone, around)
    isAlone = false
  }
  return value
}

/** Returns the position after a separator, extra brackets or a marker. If there is none, returns the cursor's position. */
function endOfRemains(cursor: Cursor, around: Surroundings): number {
  const { text, at, tags } = cursor
  const code = text.charCodeAt(at)
  if (around.code === 'call' && text.charAt(at) === ')') return at + 1
  if (around.isQuoted && text.charAt(at) === '"') return at + 1
  if (around.fences > 0 && /[`~]/.test(text.charAt(at))) return endOfRun(text, at)
  if (code === COMMA || code === SEMICOLON) {
    if (around.code === undefined) tags.add('trailing_comma')
    return at + 1
  }
  if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
    if (tags.has('wrong_close') || around.hasProse || around.isQuoted) cursor.refuse('mismatched_close')
    tags.add('extra_close')
    return endOfClosers(text, at)
  }
  const end = skipMarker(text, at)
  if (end > at) tags.add('trailing_marker')
  return end
}

/** Returns the position after a run of the same character that starts at `at`. */
function endOfRun(text: string, at: number): number {
  let end = at + 1
  while (text.charAt(end) === text.charAt(at)) end++
  return end
}

/** Returns the position after the closing brackets that start at `at`. */
function endOfClosers(text: string, at: number): number {
  let end = at + 1
  while (text.charCodeAt(end) === CLOSE_BRACE || text.charCodeAt(end) === CLOSE_BRACKET) end++
  return end
}

function isContainerAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === OPEN_BRACE || code === OPEN_BRACKET
}

/**
 * Accepts a second object if it equals the first one or the first one is empty, and returns it. Refuses any other second value.
 */
function readSecond(cursor: Cursor, value: unknown, readNext: ReadNext): unknown {
  const { at } = cursor
  const next = readNext(at)
  if (cursor.text.slice(next.end).trim() !== '' || !isRecord(value) || !isRecord(next.value))
    return cursor.refuse('multiple_values')
  const isRepeated = Object.keys(value).length > 0 && isSame(value, next.value)
  const isSecondReal = Object.keys(value).length === 0 && Object.keys(next.value).length > 0
  if (!isRepeated && !isSecondReal) return cursor.refuse('multiple_values')
  cursor.tags.add('repeated_value')
  cursor.take(cursor.text.length)
  return next.value
}

/** Refuses a second value, or members that follow an object that was closed too early. */
function refuseSecond(cursor: Cursor): never {
  return cursor.refuse(isQuotedKey(cursor, cursor.at) === true ? 'mismatched_close' : 'multiple_values')
}

/** Accepts prose after an object or list. Refuses text that may contain another value. */
function readProse(cursor: Cursor, value: unknown, isAlone: boolean, around: Surroundings): unknown {
  const rest = cursor.text.slice(cursor.at).trim()
  const first = rest.charAt(0)
  if (rest !== '"' && (isQuote(rest, 0) || /^[\d[{-]/.test(first) || LITERAL.test(rest))) return refuseSecond(cursor)
  if (hasWordsForData(rest)) return cursor.refuse('elided')
  const words = rest.replace(NEXT_LABEL, '').replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
  const isProse = /\p{L}/u.test(words) ? !/[\d:"'{}[\]\\`<>=]/.test(words) && !isWithdrawn(rest, true) : /^[.!]$/.test(words)
  const isBehindFence = around.fences > 0 && !cursor.tags.has('trailing_comma') && !cursor.tags.has('extra_close')
  // In `{"a":1}x`, the `x` isn't prose. `{"a":1}.b` is a different value.
  const isGlued = !cursor.hasGap && /^[.?]{0,2}[\p{L}_$]/u.test(rest)
  if (
    !isProse ||
    isGlued ||
    typeof value !== 'object' ||
    value === null ||
    !(isAlone || isBehindFence) ||
    around.code !== undefined
  )
    return cursor.refuse('trailing_text')
  cursor.tags.add('surrounding_text')
  cursor.take(cursor.text.length)
  return value
}
