/** Keeps from the server what it would not take: it calls a worker again and again with a record that it refused. */
import { DurableError } from '../errors.ts'

/** The same text. Throws `invalid_value`; `owner` is what it is the text of. */
export function assertFits(text: string, maxRecordBytes: number, owner: string): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxRecordBytes) return text
  const words = `${owner} cannot be recorded: it has ${bytes} bytes, and ${maxRecordBytes} are allowed ("maxRecordBytes").`
  throw new DurableError('invalid_value', `${words} Keep it elsewhere, and give its name.`)
}

/** Of a record of several steps, a line each, those that fit: the others come into the next one. */
export function fittingLines(record: string, maxRecordBytes: number): string {
  if (Buffer.byteLength(record) <= maxRecordBytes) return record
  let fitting = ''
  let bytes = 0
  for (const line of record.split(/(?<=\n)/)) {
    bytes += Buffer.byteLength(line)
    // The first is there in any case.
    if (bytes > maxRecordBytes && fitting !== '') break
    fitting += line
  }
  return fitting
}
