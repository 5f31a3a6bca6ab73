/** What a model may read of an error that was not written for it. */
import { isToolError } from '../errors.ts'
import { redact } from './redact.ts'

const MAX_LENGTH = 500
/** For what was written for a model, with room for the mark that it was cut. */
const MAX_WORDS = 4_000
const ROOM = 50
const ABSOLUTE_PATH =
  /file:\/\/[^\s'"`,;()<>]+|(?<![\w/.\\])(?:(?:\/[^\s/\\'"`:,;()<>]+){2,}\/?|[A-Za-z]:[\\/][^\s'"`:,;()<>/][^\s'"`:,;()<>]*|\\\\[^\s'"`:,;()<>]+)/g

/**
 * The words of a thrown value: a `ToolError` as it is, up to 4,000 characters; of anything else the message alone, one line, at most 500 characters,
 * with absolute paths taken out, and credentials where they can be told by their form. Never a stack. Never throws, whatever was thrown.
 */
export function toModelText(thrown: unknown): string {
  const { words, forModel } = wordsOf(thrown)
  if (forModel) return toBoundedText(words)
  const line = words
    .slice(0, 4 * MAX_LENGTH)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .filter((text) => !/^\s+at\s/.test(text))
    .join(' ')
  const shown = redact(line).replace(ABSOLUTE_PATH, '[path]').trim()
  return shown.length <= MAX_LENGTH ? shown || 'no message was given' : `${startOf(shown, MAX_LENGTH)}…`
}

/** Words that were written for a model: as they are, unless there is no end of them: then at most 4,000 characters. */
export function toBoundedText(words: string): string {
  if (words.length <= MAX_WORDS) return words
  return `${startOf(words, MAX_WORDS - ROOM)}… [cut off: ${words.length} characters in all]`
}

/** Never half a character. */
function startOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

/** Asks a thrown value nothing outside the try: getters, `toString` and proxies may throw themselves. */
function wordsOf(thrown: unknown): { words: string; forModel: boolean } {
  try {
    if (isToolError(thrown)) return { words: String(thrown.message), forModel: true }
    return { words: plainWords(thrown), forModel: false }
  } catch {
    return { words: '', forModel: false }
  }
}

function plainWords(thrown: unknown): string {
  // The text of a function is source code, that of a plain object says nothing.
  if (thrown === null || thrown === undefined || typeof thrown === 'function') return ''
  if (typeof thrown === 'object' && 'message' in thrown) return String(thrown.message)
  const words = String(thrown)
  return words === '[object Object]' ? '' : words
}
