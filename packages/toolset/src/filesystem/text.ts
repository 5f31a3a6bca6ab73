/** Text of files: valid UTF-8 without NUL, or it is binary. */
import { fileError } from './errors.ts'
import { quote } from './quote.ts'

/** The byte order mark stays: what is written back is what was read. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** `undefined` for what is no text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Throws `binary` for a text that could not be read back as it is. */
export function encodeText(text: string, given: string): Buffer {
  if (/[\0\p{Surrogate}]/u.test(text)) {
    throw fileError('binary', `The text for ${quote(given)} holds NUL or half a character, so it is no text.`)
  }
  return Buffer.from(text)
}

/** The lines with their ends; an empty text has none. */
export function splitLines(text: string): readonly string[] {
  const lines: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    const next = end < 0 ? text.length : end + 1
    lines.push(text.slice(start, next))
    start = next
  }
  return lines
}
