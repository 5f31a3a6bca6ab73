/** Converts file contents to text and back. Text is valid UTF-8 without NUL, and anything else is binary. */
import { fileError } from '../errors.ts'
import { quote } from '../quote.ts'

/** Keeps the byte order mark, so that text can be written back unchanged. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes text. Returns undefined for bytes that aren't text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Encodes text. Throws `binary` for text that would be different when read back. */
export function encodeText(text: string, given: string): Buffer {
  if (/[\0\p{Surrogate}]/u.test(text)) {
    throw fileError(
      'binary',
      `The text for ${quote(given)} contains NUL or an unpaired surrogate, so it cannot be stored as text.`,
    )
  }
  return Buffer.from(text)
}

/** Splits text into lines that include their line ends. Empty text has no lines. */
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
/** Number of characters of a long line to show before the match. */
const BEFORE = 80

/** Returns a line. If it's long, returns the part around an index. Never splits a surrogate pair. */
export function excerptOf(line: string, at: number): string {
  const start = Math.max(0, Math.min(at - BEFORE, line.length - MAX_SHOWN))
  const end = start + MAX_SHOWN
  return line.slice(isWithinPair(line, start) ? start + 1 : start, isWithinPair(line, end) ? end - 1 : end).trimEnd()
}

function isWithinPair(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff
}
