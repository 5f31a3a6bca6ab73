/** Refuses records that are too large for the server. The server would retry them forever. */
import { DurableError } from '../errors.ts'

/** Returns the text, or throws `invalid_value` if it is too large. `owner` describes the text in the message. */
export function assertFits(text: string, maxRecordBytes: number, owner: string): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxRecordBytes) return text
  const words = `${owner} cannot be recorded: it has ${bytes} bytes, but "maxRecordBytes" is ${maxRecordBytes}.`
  throw new DurableError('invalid_value', `${words} Store it elsewhere and record a reference to it.`)
}

/** Returns as many lines from the start of the record as fit. Each line is a step. The other steps go into the next record. */
export function fittingLines(record: string, maxRecordBytes: number): string {
  if (Buffer.byteLength(record) <= maxRecordBytes) return record
  let fitting = ''
  let bytes = 0
  for (const line of record.split(/(?<=\n)/)) {
    bytes += Buffer.byteLength(line)
    // The first line is always included, even if it is too long on its own.
    if (bytes > maxRecordBytes && fitting !== '') break
    fitting += line
  }
  return fitting
}
