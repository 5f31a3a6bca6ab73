/** The lines of a journal: a first line that says what the file is, then one for each record, with a checksum. */
import { crc32 } from 'node:zlib'
import { toJsonText } from '../../engine/json-text.ts'
import { DurableError } from '../../errors.ts'

/** What a step gave, what was decided about what is waited for, or what an engine says of the run itself. */
export type RecordKind = 'step' | 'decision' | 'run'

/** A line of a record, and what its checksum makes of that of the line before. */
export interface RecordLine {
  readonly kind: RecordKind
  readonly key: string
  /** Ends with a line feed. */
  readonly text: string
  readonly sum: number
}

const KINDS: readonly RecordKind[] = ['step', 'decision', 'run']

export const FORMAT = 'durable-journal'
export const VERSION = 1
export const FIRST_LINE = `${JSON.stringify({ format: FORMAT, version: VERSION })}\n`
/** That of the first line: every checksum goes on from the one of the line before, so a missing line is found too. */
export const FIRST_SUM = crc32(FIRST_LINE)

/** `{"sum":"89abcdef",` and so on: the checksum is of what stands behind it. */
const SUM_START = '{"sum":"'
const SUM_LENGTH = `${SUM_START}89abcdef",`.length

/** 256 MiB: longer ones are not recorded, so a longer line doesn't belong to a journal. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024

/** Throws `invalid_value` for what is no plain data, or too much. */
export function toRecord(kind: RecordKind, key: string, value: unknown): string {
  const owner = OWNERS[kind](key)
  const json = toJsonText(value, owner)
  const record = `"${kind}":${JSON.stringify(key)}${json === undefined ? '' : `,"value":${json}`}}\n`
  assertFits(SUM_LENGTH + Buffer.byteLength(record), owner)
  return record
}

/** Throws `invalid_value`. */
export function assertFits(bytes: number, owner: string): void {
  if (bytes <= MAX_LINE_BYTES) return
  const words = `${owner} cannot be recorded: it has ${bytes} bytes, and ${MAX_LINE_BYTES} are allowed.`
  throw new DurableError('invalid_value', `${words} Keep it elsewhere, and give its name.`)
}

const OWNERS: { readonly [Kind in RecordKind]: (key: string) => string } = {
  step: (key) => `What the step "${key}" gave`,
  decision: (key) => `The decision about "${key}"`,
  run: (key) => `The ${key} of the run`,
}

/** `previous` is the checksum of the line before. */
export function toLine(kind: RecordKind, key: string, record: string, previous: number): RecordLine {
  const sum = crc32(record, previous)
  return { kind, key, text: `${SUM_START}${toHex(sum)}",${record}`, sum }
}

/** What was recorded; a new value each time, so that nobody can change it for another. */
export function recordedValue(line: string): unknown {
  const record: { readonly value?: unknown } = JSON.parse(line)
  return Object.hasOwn(record, 'value') ? record.value : undefined
}

/** Reads a line without its line feed. Undefined for one that is broken. */
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
 * Where a whole record ends in a line that has no line feed; undefined when none does. That may be at the end, in front of one byte that
 * was a line feed, or in front of another record.
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

/** Where a record may end, in their order; zeros at the end of the line are left. */
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

/** Throws `not_a_journal` or `unsupported_version`; `file` is what the file is called. */
export function assertFirstLine(line: Uint8Array, file: string): void {
  const text = toText(line)
  if (`${text}\n` === FIRST_LINE) return
  const { format, version } = parsed(text)
  if (format !== FORMAT) throw notJournal(file)
  throw new DurableError(
    'unsupported_version',
    `"${file}" is a journal of version ${JSON.stringify(version)}; this program reads version ${VERSION}. Finish its run with the program that began it.`,
  )
}

export function notJournal(file: string): DurableError {
  return new DurableError('not_a_journal', `"${file}" is no journal of a run, and was left as it is. Choose another path.`)
}

/** No properties for a text that is no JSON object. */
function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** As it stands there: a byte order mark too. */
function toText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

function toHex(sum: number): string {
  return sum.toString(16).padStart(8, '0')
}
