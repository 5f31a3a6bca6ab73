/** Reads the records of a journal file, and finds the end of the complete ones if the last line is torn. */
import type { FileHandle } from 'node:fs/promises'
import { DurableError } from '../../errors.ts'
import {
  assertFirstLine,
  endOfRecord,
  FIRST_LINE,
  FIRST_SUM,
  MAX_LINE_BYTES,
  notJournal,
  type RecordLine,
  readLine,
} from './record.ts'

export interface JournalContent {
  readonly lines: readonly RecordLine[]
  /** Length of the complete records in bytes. An incomplete record is dropped, because its result was never returned. */
  readonly length: number
  /** True if the last record is complete except for its line feed. */
  readonly lacksLineFeed: boolean
}

const LINE_FEED = 10
const MAX_FIRST_LINE_BYTES = 4096
const CHUNK_BYTES = 1024 * 1024

/**
 * Reads a journal. A last line without a line feed was torn by a crash, unless its checksum shows that it is complete. Any other
 * damage occurred later and may affect any record. Throws `not_a_journal`, `unsupported_version`, or `broken` with the line
 * number.
 */
export function readJournal(bytes: Uint8Array, file: string): JournalContent {
  const reader = new JournalReader(file)
  reader.add(bytes)
  return reader.end()
}

/**
 * Reads a journal from an open file, like `readJournal`. Reads only the bytes that the file had at the start. Stops early if the
 * file isn't a journal.
 */
export async function readJournalFile(handle: FileHandle, file: string): Promise<JournalContent & { readonly size: number }> {
  const reader = new JournalReader(file)
  const { size } = await handle.stat()
  for (let position = 0; position < size; ) {
    const length = Math.min(size - position, position === 0 ? MAX_FIRST_LINE_BYTES : CHUNK_BYTES)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
    if (bytesRead === 0) break
    reader.add(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
  return { ...reader.end(), size }
}

class JournalReader {
  readonly #file: string
  readonly #lines: RecordLine[] = []
  readonly #seen = new Set<string>()
  /** Pieces of a line that isn't complete yet. */
  #parts: Uint8Array[] = []
  #partsLength = 0
  /** Total length of the complete lines, in bytes. */
  #length = 0
  #sum = FIRST_SUM

  constructor(file: string) {
    this.#file = file
  }

  add(bytes: Uint8Array): void {
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      this.#hold(bytes.subarray(start, end))
      const line = this.#takeParts()
      if (this.#length === 0) assertFirstLine(line, this.#file)
      else this.#take(line)
      this.#length += line.length + 1
      start = end + 1
    }
    this.#hold(bytes.subarray(start))
  }

  end(): JournalContent {
    const tail = this.#takeParts()
    const torn = { lines: this.#lines, length: this.#length, lacksLineFeed: false }
    if (this.#length === 0) {
      if (!Buffer.from(FIRST_LINE).subarray(0, tail.length).equals(tail)) throw notJournal(this.#file)
      return torn
    }
    const end = endOfRecord(tail, this.#sum)
    if (end === undefined) return torn
    // If the last bytes weren't written, a file system may return zeros for them.
    if (tail.subarray(end).some((byte) => byte !== 0)) throw this.#broken('has unexpected bytes at its end')
    this.#take(tail.subarray(0, end))
    return { lines: this.#lines, length: this.#length + end, lacksLineFeed: true }
  }

  #hold(part: Uint8Array): void {
    if (part.length === 0) return
    this.#parts.push(part)
    this.#partsLength += part.length
    if (this.#length === 0 && this.#partsLength >= MAX_FIRST_LINE_BYTES) throw notJournal(this.#file)
    if (this.#partsLength > MAX_LINE_BYTES) throw this.#broken(`exceeds ${MAX_LINE_BYTES} bytes`)
  }

  #takeParts(): Buffer {
    const [first] = this.#parts
    const isWhole = this.#parts.length === 1 && first !== undefined
    const line = isWhole ? Buffer.from(first.buffer, first.byteOffset, first.length) : Buffer.concat(this.#parts)
    this.#parts = []
    this.#partsLength = 0
    return line
  }

  #take(bytes: Uint8Array): void {
    const line = readLine(bytes, this.#sum)
    if (line === undefined) throw this.#broken('fails its checksum')
    const { kind, key } = line
    const name = `${kind} ${key}`
    if (kind !== 'run' && this.#seen.has(name)) throw this.#broken(`records the ${kind} ${JSON.stringify(key)} a second time`)
    this.#seen.add(name)
    this.#lines.push(line)
    this.#sum = line.sum
  }

  /** Returns a `broken` error that names the current line. */
  #broken(problem: string): DurableError {
    return new DurableError(
      'broken',
      `Line ${this.#lines.length + 2} of the journal "${this.#file}" ${problem}. The file was damaged after it was written. It has been left unchanged: check manually which steps took effect.`,
    )
  }
}
