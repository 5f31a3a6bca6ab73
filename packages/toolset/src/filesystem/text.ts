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

const MAX_SHOWN = 200
/** How much of a long line is shown before the match. */
const BEFORE = 80

/** A line, or the part of a long one around a place in it; never half a character. */
export function excerptOf(line: string, at: number): string {
  const start = Math.max(0, Math.min(at - BEFORE, line.length - MAX_SHOWN))
  const end = start + MAX_SHOWN
  return line.slice(isWithinPair(line, start) ? start + 1 : start, isWithinPair(line, end) ? end - 1 : end).trimEnd()
}

function isWithinPair(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff
}
