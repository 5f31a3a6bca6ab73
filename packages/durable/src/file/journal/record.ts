/** The lines of a journal: a header, then one line for each record, with a checksum. */
import { crc32 } from 'node:zlib'
import { toJsonText } from '../../engine/json-text.ts'
import { DurableError } from '../../errors.ts'

/** A step result, a decision, or a record about the run itself. */
export type RecordKind = 'step' | 'decision' | 'run'

/** A record's line and its checksum, which also covers the checksum of the previous line. */
export interface RecordLine {
  readonly kind: RecordKind
  readonly key: string
  /** The line's text, which ends with a line feed. */
  readonly text: string
  readonly sum: number
}

const KINDS: readonly RecordKind[] = ['step', 'decision', 'run']

export const FORMAT = 'durable-journal'
export const VERSION = 1
export const FIRST_LINE = `${JSON.stringify({ format: FORMAT, version: VERSION })}\n`
/** Checksum of the header. Each checksum builds on the previous one, so a missing line is detected. */
export const FIRST_SUM = crc32(FIRST_LINE)

/** A line starts with `{"sum":"89abcdef",`. The checksum covers everything after that. */
const SUM_START = '{"sum":"'
const SUM_LENGTH = `${SUM_START}89abcdef",`.length

/** Maximum length of a line: 256 MiB. Longer records are refused, so a longer line can't be part of a journal. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024

/** Serializes a record. Throws `invalid_value` for anything but plain data, and for a record that is too large. */
export function toRecord(kind: RecordKind, key: string, value: unknown): string {
  const owner = OWNERS[kind](key)
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

/** Creates the line of a record. `previous` is the checksum of the previous line. */
export function toLine(kind: RecordKind, key: string, record: string, previous: number): RecordLine {
  const sum = crc32(record, previous)
  return { kind, key, text: `${SUM_START}${toHex(sum)}",${record}`, sum }
}

/** Returns a new copy of the recorded value each time, so that a caller that changes it doesn't affect others. */
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
 * Finds where a complete record ends in a line without a line feed. Returns undefined if the line has no complete record. The record may
 * end at the end of the line, before a byte that should have been a line feed, or before another record.
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

/** Possible ends of a record, in order. Trailing zeros are ignored. */
function* endsIn(tail: Buffer): Iterable<number> {
  for (let at = tail.indexOf(SUM_START, 1); at !== -1; at = tail.indexOf(SUM_START, at + 1)) yield at - 1
  let length = tail.length
  while (length > 0 && tail[length - 1] === 0) length--
  yield length - 1
  yield length
}

function readsAs(line: Buffer, sum: number): boolean {
  return line.toString('latin1', 0, SUM_LENGTH) === `${SUM_START}${toHex(sum)}",`
}

/** Throws `not_a_journal` or `unsupported_version` unless the line is a valid header. `file` is the name of the file. */
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

/** Returns an empty object for anything but a JSON object. */
function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Decodes the text exactly, including a byte order mark. */
function toText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

function toHex(sum: number): string {
  return sum.toString(16).padStart(8, '0')
}
