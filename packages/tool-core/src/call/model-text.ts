/** Makes the message of any error safe for a model. */
import { isToolError } from '../errors.ts'
import { NO_MESSAGE, truncatedMark } from '../prompts.ts'
import { redact } from '../redact/redact.ts'

const MAX_LENGTH = 500
/** Maximum length of a message that was written for a model, in characters. Includes the truncation mark. */
const MAX_MESSAGE = 4_000
const MARK_LENGTH = 50
/** Within quotation marks, a path may contain spaces. */
const ABSOLUTE_PATH =
  /(?<=(['"`]))(?:\/[^'"`/]+\/|[A-Za-z]:[\\/]|\\\\)[^'"`]*(?=\1)|file:\/\/[^\s'"`,;()<>]+|(?<![\w/.\\])(?:(?:\/[^\s/\\'"`:,;()<>]+){2,}\/?|[A-Za-z]:[\\/][^\s'"`:,;()<>/][^\s'"`:,;()<>]*|\\\\[^\s'"`:,;()<>]+)/g

/**
 * Returns the message of a thrown value. The message of a `ToolError` is kept, truncated to 4,000 characters. Any other message becomes one
 * line of at most 500 characters, without a stack, absolute paths or recognizable credentials. Never throws.
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
  return shown.length <= MAX_LENGTH ? shown || NO_MESSAGE : `${startOf(shown, MAX_LENGTH)}…`
}

/** Truncates a message that was written for a model to 4,000 characters. */
export function toBoundedText(words: string): string {
  if (words.length <= MAX_MESSAGE) return words
  return `${startOf(words, MAX_MESSAGE - MARK_LENGTH)}… ${truncatedMark(words.length, 'character')}`
}

/** Returns the start of a string. Never splits a surrogate pair. */
function startOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

/** Reads the thrown value only inside the `try`, because getters, `toString` and proxies may throw. */
function wordsOf(thrown: unknown): { words: string; forModel: boolean } {
  try {
    if (isToolError(thrown)) return { words: String(thrown.message), forModel: true }
    return { words: plainWords(thrown), forModel: false }
  } catch {
    return { words: '', forModel: false }
  }
}

function plainWords(thrown: unknown): string {
  // Converted to a string, a function is its source code, and a plain object is "[object Object]".
  if (thrown === null || thrown === undefined || typeof thrown === 'function') return ''
  if (typeof thrown === 'object' && 'message' in thrown) return String(thrown.message)
  const words = String(thrown)
  return words === '[object Object]' ? '' : words
}
