/** What a model may read of an error that was not written for it. */
import { ToolError } from './errors.ts'

const MAX_LENGTH = 500
const ABSOLUTE_PATH = /(?<![\w:/.\\])(?:(?:\/[^\s/\\'"`:,;()<>]+){2,}\/?|[A-Za-z]:\\[^\s'"`:,;()<>]+)/g
const CREDENTIALS = /(:\/\/)[^\s/@]{1,200}@/g
const BEARER = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi

/**
 * The words of a thrown value: a `ToolError` as it is; of anything else the message alone, one line, at most 500 characters,
 * with absolute paths and credentials taken out. Never a stack. Never throws, whatever was thrown.
 */
export function toModelText(thrown: unknown): string {
  if (thrown instanceof ToolError) return thrown.message
  const words = plainWords(thrown).slice(0, 4 * MAX_LENGTH)
  const line = words
    .split(/\r?\n/)
    .filter((text) => !/^\s+at\s/.test(text))
    .join(' ')
    .replace(CREDENTIALS, '$1[redacted]@')
    .replace(BEARER, '$1 [redacted]')
    .replace(ABSOLUTE_PATH, '[path]')
    .trim()
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line || 'no message was given'
}

function plainWords(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return thrown
    if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message)
    return thrown === null || thrown === undefined ? '' : String(thrown)
  } catch {
    return ''
  }
}
