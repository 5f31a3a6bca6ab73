/** A recorded request with its reply. Plain data without secrets. */
import type { LMDelta, LMRequest, LMResponse } from '@x/adapters'
import { redactSecrets } from '@x/adapters/redact'
import { kindOf } from '../check-options.ts'
import { LMError, type LMErrorCode } from '../errors.ts'

export interface Exchange {
  readonly request: LMRequest
  readonly reply: Reply
}

/** The reply to a request: a response, the deltas of a stream, or an error, which may follow some deltas. */
export interface Reply {
  readonly response?: LMResponse | undefined
  readonly deltas?: readonly LMDelta[] | undefined
  readonly error?: RecordedError | undefined
  /** True if the caller stopped reading the stream after these deltas. */
  readonly left?: boolean | undefined
}

export interface RecordedError {
  readonly name: string
  readonly message: string
  readonly [field: string]: unknown
}

/** Removes secrets, and other text that must not be recorded, from `text`. `name` is the key of the text in its object. */
export type Redact = (text: string, name?: string) => string

/** Returns a copy of plain data with `redact` applied to each string, including strings inside JSON text. */
export function redacted<Value>(value: Value, redact: Redact = redactSecrets): Value {
  // The items of a list have no keys, so the key of the list is used for them.
  const names = new WeakMap<object, string>()
  const text = JSON.stringify(value, function (this: unknown, key: string, part: unknown) {
    const name = Array.isArray(this) ? names.get(this) : key
    if (Array.isArray(part)) names.set(part, name ?? '')
    return typeof part === 'string' ? redactedText(part, name, redact) : part
  })
  return JSON.parse(text) as Value
}

/** Redacts the strings in JSON text one by one, so that the arguments of a call remain valid JSON. */
function redactedText(text: string, name: string | undefined, redact: Redact): string {
  if (/^\s*[[{]/.test(text)) {
    try {
      const data: unknown = JSON.parse(text)
      const after = JSON.stringify(redacted(data, redact))
      return JSON.stringify(data) === after ? text : after
    } catch (error) {
      // The text isn't JSON, or is nested too deeply.
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    }
  }
  const clean: unknown = redact(text, name)
  if (typeof clean === 'string') return clean
  throw new TypeError(`redact must return a string, got ${kindOf(clean)}. Return the text itself if it contains no secret.`)
}

/**
 * Returns the reply without secrets, even if a secret was streamed in several pieces. Omits `raw`, which would double the size.
 */
export function redactedReply({ response, deltas, ...rest }: Reply, redact: Redact | undefined): Reply {
  const { raw: _, ...kept } = response ?? {}
  return {
    ...(response && { response: redacted(kept as LMResponse, redact) }),
    ...(deltas && { deltas: redactedDeltas(deltas, redact) }),
    ...redacted(rest, redact),
  }
}

function redactedDeltas(deltas: readonly LMDelta[], redact: Redact | undefined): readonly LMDelta[] {
  const wholes = new Map<string, string>()
  for (const delta of deltas) {
    const stream = streamOf(delta)
    if (stream !== undefined) wholes.set(stream, (wholes.get(stream) ?? '') + textOf(delta))
  }
  const changed = new Map<string, string>()
  for (const [stream, whole] of wholes) {
    const { text } = redacted({ text: whole }, redact)
    if (text !== whole) changed.set(stream, text)
  }
  return deltas.flatMap((delta): readonly LMDelta[] => {
    const stream = streamOf(delta)
    if (stream === undefined) return [redacted(delta, redact)]
    const text = changed.get(stream)
    if (text === undefined) return [delta]
    // The first delta has the whole redacted text, so later ones become empty.
    changed.set(stream, '')
    return text === '' ? [] : [{ ...delta, text } as LMDelta]
  })
}

/** Returns a key for the text that a delta extends. Returns undefined for a delta without text. */
function streamOf(delta: LMDelta): string | undefined {
  if (delta.type === 'arguments') return `arguments ${delta.index}`
  return delta.type === 'text' || delta.type === 'reasoning' || delta.type === 'refusal' ? delta.type : undefined
}

function textOf(delta: LMDelta): string {
  return 'text' in delta ? delta.text : ''
}

/** Converts an error to plain data, without its stack and cause. */
export function toRecordedError(error: unknown): RecordedError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message } = error
  return error instanceof LMError ? { ...(error.toJSON() as object), name, message } : { name, message }
}

/** Recreates an error. An `LMError` gets all of its fields except the cause. */
export function toError({ name, message, code, ...fields }: RecordedError): Error {
  if (name === 'LMError' && typeof code === 'string') return new LMError(code as LMErrorCode, message, fields)
  const error = new Error(message)
  error.name = name
  return error
}
