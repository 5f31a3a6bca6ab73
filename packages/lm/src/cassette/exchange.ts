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

/**
 * Removes secrets, and other text that must not be recorded, from `text`. `name` is the key of the text in its object. If `redact` replaces any
 * text of a key, all text below the key has its name.
 */
export type Redact = (text: string, name?: string) => string

/**
 * Returns a copy of plain data with `redact` applied to each key and each string, including strings inside JSON text. Numbers are kept, except
 * below a key whose text is always replaced.
 */
export function redacted<Value>(value: Value, redact: Redact = redactSecrets): Value {
  return redactedPart(JSON.parse(JSON.stringify(value)), { redact }) as Value
}

/**
 * Returns a copy of a request with `redact` applied. Within the schemas of tools and replies, a key such as `password` doesn't mean that
 * the text below it is a secret, because it describes a property.
 */
export function redactedRequest(request: LMRequest, redact: Redact = redactSecrets): LMRequest {
  const fields = Object.entries(JSON.parse(JSON.stringify(request)) as object)
  return Object.fromEntries(
    fields.map(([name, part]) => [name, redactedPart(part, { redact, name, isSchema: SCHEMAS.has(name) })]),
  ) as unknown as LMRequest
}

/** The fields of a request with schemas. */
const SCHEMAS: ReadonlySet<string> = new Set<keyof LMRequest>(['tools', 'search', 'responseFormat'])

interface Place {
  readonly redact: Redact
  /** The key of the part. The items of a list have the key of the list. */
  readonly name?: string | undefined
  /** True below a key whose text is always replaced. Its name is then the name of all parts below it. */
  readonly isSecret?: boolean | undefined
  readonly isSchema?: boolean | undefined
}

function redactedPart(part: unknown, place: Place): unknown {
  const { redact, name, isSecret, isSchema } = place
  if (typeof part === 'string') return redactedText(part, place)
  if (typeof part === 'number' && isSecret) return checked(redact(String(part), name))
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((item) => redactedPart(item, place))
  const members = new Map<string, unknown>()
  for (const [key, member] of Object.entries(part)) {
    const hides = isSecret || (!isSchema && redact(PROBE, key) !== PROBE)
    const clean = checked(redact(key))
    let free = clean
    for (let number = members.size + 1; members.has(free); number++) free = `${clean} (${number})`
    members.set(free, redactedPart(member, { redact, name: isSecret ? name : key, isSecret: hides, isSchema }))
  }
  // Keeps a key such as `__proto__`.
  return Object.fromEntries(members)
}

/** A text without a secret. It is replaced only because of its key. */
const PROBE = 'a'

/** Redacts the strings in JSON text one by one, so that the arguments of a call remain valid JSON. */
function redactedText(text: string, place: Place): string {
  if (/^\s*[[{]/.test(text)) {
    try {
      const data: unknown = JSON.parse(text)
      const after = JSON.stringify(redactedPart(data, place))
      // A key that occurs twice is once in the data, so the text is checked too.
      return JSON.stringify(data) === after && place.redact(text) === text ? text : after
    } catch (error) {
      // The text isn't JSON, or is nested too deeply.
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    }
  }
  return checked(place.redact(text, place.name))
}

function checked(text: unknown): string {
  if (typeof text === 'string') return text
  throw new TypeError(`redact must return a string, got ${kindOf(text)}. Return the text itself if it contains no secret.`)
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
