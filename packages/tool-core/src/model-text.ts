/** What a model may read of an error that was not written for it. */
import { isToolError } from './errors.ts'

const MAX_LENGTH = 500
const ABSOLUTE_PATH =
  /file:\/\/[^\s'"`,;()<>]+|(?<![\w/.\\])(?:(?:\/[^\s/\\'"`:,;()<>]+){2,}\/?|[A-Za-z]:[\\/][^\s'"`:,;()<>/][^\s'"`:,;()<>]*|\\\\[^\s'"`:,;()<>]+)/g
const CREDENTIALS = /(:\/\/)[^\s/]{1,200}@/g
const SECRET = /\b([\w-]{0,40}(?:password|passwd|pwd|secret|token|api[_-]?key)["']?\s{0,3}[=:]\s{0,3}["']?)[^\s&;,'"}]+/gi
const KEY = /\b(?:sk|pk|ghp|gho|xox[abps])[-_][\w-]{12,}/g
const BEARER = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi

/**
 * The words of a thrown value: a `ToolError` as it is; of anything else the message alone, one line, at most 500 characters,
 * with absolute paths taken out, and credentials where they can be told by their form. Never a stack. Never throws, whatever was thrown.
 */
export function toModelText(thrown: unknown): string {
  const { words, forModel } = wordsOf(thrown)
  if (forModel) return words
  const line = words
    .slice(0, 4 * MAX_LENGTH)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .filter((text) => !/^\s+at\s/.test(text))
    .join(' ')
    .replace(CREDENTIALS, '$1[redacted]@')
    .replace(BEARER, '$1 [redacted]')
    .replace(SECRET, '$1[redacted]')
    .replace(KEY, '[redacted]')
    .replace(ABSOLUTE_PATH, '[path]')
    .trim()
  if (line.length <= MAX_LENGTH) return line || 'no message was given'
  return `${line.slice(0, MAX_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** Asks a thrown value nothing outside the try: getters, `toString` and proxies may throw themselves. */
function wordsOf(thrown: unknown): { words: string; forModel: boolean } {
  try {
    if (isToolError(thrown)) return { words: thrown.message, forModel: true }
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
