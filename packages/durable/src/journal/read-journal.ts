/** What a journal's file holds: its records, and where they end when the last line was torn. */
import { DurableError } from '../errors.ts'
import { assertFirstLine, FIRST_LINE, FIRST_SUM, notJournal, type RecordLine, readLine } from './record.ts'

export interface JournalContent {
  readonly lines: readonly RecordLine[]
  /** Bytes from the beginning that are whole lines; what is behind them was never given to anybody. */
  readonly length: number
}

const LINE_FEED = 10

/**
 * A last line without its line feed is one that a crash tore. Throws `not_a_journal`, `unsupported_version`, or `broken` with the
 * number of the line: anything else that does not read was damaged later, and what it recorded is unknown.
 */
export function readJournal(bytes: Uint8Array, file: string): JournalContent {
  const firstEnd = bytes.indexOf(LINE_FEED)
  if (firstEnd === -1) {
    if (!Buffer.from(FIRST_LINE).subarray(0, bytes.length).equals(bytes)) throw notJournal(file)
    return { lines: [], length: 0 }
  }
  assertFirstLine(bytes.subarray(0, firstEnd), file)
  const lines: RecordLine[] = []
  const seen = new Set<string>()
  let sum = FIRST_SUM
  let start = firstEnd + 1
  for (let end = bytes.indexOf(LINE_FEED, start); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
    const line = readLine(bytes.subarray(start, end), sum)
    const number = lines.length + 2
    if (line === undefined) throw broken(file, number, 'does not fit its checksum')
    const name = `${line.kind} ${line.key}`
    if (line.kind !== 'run' && seen.has(name))
      throw broken(file, number, `records the ${line.kind} ${JSON.stringify(line.key)} a second time`)
    seen.add(name)
    lines.push(line)
    sum = line.sum
    start = end + 1
  }
  return { lines, length: start }
}

function broken(file: string, line: number, problem: string): DurableError {
  return new DurableError(
    'broken',
    `Line ${line} of the journal "${file}" ${problem}. The file was changed after it was written, and was left as it is: what its run did must be found out by hand.`,
  )
}
