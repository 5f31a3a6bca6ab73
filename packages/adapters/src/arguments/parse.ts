/** The text of a call's arguments, read as an object or refused with a code; never guessed, never thrown. */
import { findFault, MAX_DEPTH } from '@x/tool-core'
import type { ArgumentErrorCode, ParsedArguments, RecoveryTag } from './tags.ts'

export interface ParseArgumentsOptions {
  /** False when the provider said that the text was cut off: then it is never runnable, even if it parses. */
  readonly complete?: boolean | undefined
  /** Deepest nesting; 512 unless told. */
  readonly maxDepth?: number | undefined
  /** Longest text in UTF-16 units; 16 Mi unless told. */
  readonly maxLength?: number | undefined
}

const EXCERPT = 60
const MAX_LENGTH = 16 * 1024 * 1024

/** Reads the arguments of one call. Linear in the text; limits are checked without recursion. */
export function parseArguments(text: string, options: ParseArgumentsOptions = {}): ParsedArguments {
  const { complete = true, maxDepth = MAX_DEPTH, maxLength = MAX_LENGTH } = options
  if (!complete)
    return refuse('truncated', text, 'The arguments were cut off before their end. Make the call again, shorter if need be.')
  if (text.length > maxLength) return refuse('too_large', text, `The arguments are longer than ${maxLength} characters.`)
  if (text.trim() === '') return { ok: true, value: {}, tags: ['empty'] }
  const tags: RecoveryTag[] = []
  let parsed = parseJson(text)
  if (parsed.ok && typeof parsed.value === 'string') {
    const inner = parseJson(parsed.value)
    if (inner.ok && isObject(inner.value)) {
      parsed = inner
      tags.push('double_encoded')
    }
  }
  if (!parsed.ok)
    return refuse('invalid_json', text, `The arguments are not valid JSON${whereIn(parsed)}. Write one JSON object.`, parsed.at)
  if (parsed.value === null) return { ok: true, value: {}, tags: ['empty'] }
  if (!isObject(parsed.value))
    return refuse('not_an_object', text, `The arguments are ${kindOf(parsed.value)}. Write one JSON object.`)
  const fault = findFault(parsed.value, maxDepth)
  if (fault !== undefined) return refuse(fault.code, text, `The arguments ${fault.words}.`)
  return { ok: true, value: parsed.value, tags }
}

type Json = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly at: number | undefined }

function parseJson(text: string): Json {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    // At the end only: the message may quote the text, which may say anything.
    const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec((error as Error).message)?.[1]
    return { ok: false, at: position === undefined ? undefined : Number(position) }
  }
}

function whereIn({ at }: { readonly at: number | undefined }): string {
  return at === undefined ? '' : ` (at character ${at})`
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse(code: ArgumentErrorCode, text: string, message: string, at?: number): ParsedArguments {
  const start = at === undefined ? 0 : Math.max(0, Math.min(at, text.length) - EXCERPT / 2)
  return { ok: false, code, ...(at !== undefined && { at }), excerpt: text.slice(start, start + EXCERPT), message }
}
