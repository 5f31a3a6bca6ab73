/** The lines of a journal: a header, followed by one line per record, each with a checksum. */
import { crc32 } from 'node:zlib'
import { toJsonText } from '../../engine/json-text.ts'
import { DurableError } from '../../errors.ts'

/** The kind of a record: a step result, a decision, or a fact about the run itself. */
export type RecordKind = 'step' | 'decision' | 'run'

/** A record's line with its checksum, which also covers the previous line's checksum. */
export interface RecordLine {
  readonly kind: RecordKind
  readonly key: string
  /** Text of the line. Ends with a line feed. */
  readonly text: string
  readonly sum: number
}

const KINDS: readonly RecordKind[] = ['step', 'decision', 'run']

const FORMAT = 'durable-journal'
const VERSION = 1
export const FIRST_LINE = `${JSON.stringify({ format: FORMAT, version: VERSION })}\n`
/** Checksum of the header. Each checksum includes the previous one, so a missing line is detected. */
export const FIRST_SUM = crc32(FIRST_LINE)

/** Each line starts with `{"sum":"89abcdef",`. The checksum covers everything after this. */
const SUM_START = '{"sum":"'
const SUM_LENGTH = `${SUM_START}89abcdef",`.length

/** Maximum length of a line, 256 MiB. Longer records are refused, so a file with a longer line isn't a journal. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024

/**
 * Serializes a record. Throws `invalid_value` for anything but plain data, and for a record that is too large. `owner` names the value in the
 * error.
 */
export function toRecord(kind: RecordKind, key: string, value: unknown, owner = OWNERS[kind](key)): string {
  const json = toJsonText(value, owner)
  const record = `"${kind}":${JSON.stringify(key)}${json === undefined ? '' : `,"value":${json}`}}\n`
  assertFits(SUM_LENGTH + Buffer.byteLength(record), owner)
  return record
}

/** Throws `invalid_value` for a record that is too large. */
export function assertFits(bytes: number, owner: string): void {
  if (bytes <= MAX_LINE_BYTES) return
  const words = `${owner} cannot be recorded: it has ${bytes} bytes, but the maximum is ${MAX_LINE_BYTES}.`
  throw new DurableError('invalid_value', `${words} Store it elsewhere and record a reference to it.`)
}

const OWNERS: { readonly [Kind in RecordKind]: (key: string) => string } = {
  step: (key) => `The result of the step "${key}"`,
  decision: (key) => `The decision for "${key}"`,
  run: (key) => `The ${key} of the run`,
}

/** Creates the line of a record. `previous` is the previous line's checksum. */
export function toLine(kind: RecordKind, key: string, record: string, previous: number): RecordLine {
  const sum = crc32(record, previous)
  return { kind, key, text: `${SUM_START}${toHex(sum)}",${record}`, sum }
}

/** Returns a new copy of a recorded value each time, so that a caller can change its copy. */
export function recordedValue(line: string): unknown {
  const record: { readonly value?: unknown } = JSON.parse(line)
  return Object.hasOwn(record, 'value') ? record.value : undefined
}

/** Parses a line without its line feed. Returns undefined for a damaged line. */
export function readLine(line: Uint8Array, previous: number): RecordLine | undefined {
  const text = toText(line)
  const sum = crc32('\n', crc32(line.subarray(SUM_LENGTH), previous))
  if (text.slice(0, SUM_LENGTH) !== `${SUM_START}${toHex(sum)}",`) return undefined
  const record = parsed(text)
  for (const kind of KINDS) {
    const key = record[kind]
    if (typeof key === 'string') return { kind, key, text: `${text}\n`, sum }
  }
  return undefined
}

/**
 * Returns the end of the complete record at the start of a torn line, or undefined if there is none. The record may end at the
 * end of the text, before a byte that should have been a line feed, or before another record.
 */
export function endOfRecord(tail: Buffer, previous: number): number | undefined {
  let sum = previous
  let start = SUM_LENGTH
  for (const end of endsIn(tail)) {
    if (end < start) continue
    sum = crc32(tail.subarray(start, end), sum)
    start = end
    if (readsAs(tail, crc32('\n', sum)) && readLine(tail.subarray(0, end), previous) !== undefined) return end
  }
  return undefined
}

/** Returns the positions at which a record may end, in order. Ignores trailing zeros. */
function endsIn(tail: Buffer): readonly number[] {
  const ends: number[] = []
  for (let at = tail.indexOf(SUM_START, 1); at !== -1; at = tail.indexOf(SUM_START, at + 1)) ends.push(at - 1)
  let length = tail.length
  while (length > 0 && tail[length - 1] === 0) length--
  return [...ends, length - 1, length]
}

function readsAs(line: Buffer, sum: number): boolean {
  return line.toString('latin1', 0, SUM_LENGTH) === `${SUM_START}${toHex(sum)}",`
}

/**
 * Throws `not_a_journal` or `unsupported_version` unless the line is a valid header. `file` is the file's name, for the message.
 */
export function assertFirstLine(line: Uint8Array, file: string): void {
  const text = toText(line)
  if (`${text}\n` === FIRST_LINE) return
  const { format, version } = parsed(text)
  if (format !== FORMAT) throw notJournal(file)
  throw new DurableError(
    'unsupported_version',
    `"${file}" is a journal of version ${JSON.stringify(version)}, but this program reads version ${VERSION}. Finish its run with the program version that started it.`,
  )
}

export function notJournal(file: string): DurableError {
  return new DurableError('not_a_journal', `"${file}" is not a journal of a run and was left unchanged. Use another path.`)
}

/** Parses a JSON object. Returns an empty object for anything else. */
function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Decodes bytes exactly. Keeps a byte order mark. */
function toText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

function toHex(sum: number): string {
  return sum.toString(16).padStart(8, '0')
}
