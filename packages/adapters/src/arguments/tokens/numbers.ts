/** Reads numbers, as written in JSON and in other languages. */
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, HASH, isDigit, isSpace, isWordStart, SLASH, STAR } from '../scanner/characters.ts'
import { type Cursor, WAIT, type Wait } from '../scanner/cursor.ts'

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** Numbers such as `.5`, `5.`, `+5` and `1_000.5_0`, with digits before the decimal point, after it, or both. */
const LOOSE_NUMBER = /^[+\u2212-]?(?:(?:0|[1-9]\d*(?:_\d+)*)(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+)?$/
/** Hexadecimal, binary and octal numbers that fit into a double exactly. */
const OTHER_BASE = /^[+\u2212-]?(0(?:[xX][0-9a-fA-F]{1,13}|[bB][01]{1,52}|[oO][0-7]{1,17}))$/
/** An IPv4 address or a UUID. */
const ADDRESS =
  /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/i
/** An ISO 8601 date, optionally with a time. */
const DATE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/

export interface ReadNumber {
  /** A number, or a date or address as a string. */
  readonly value: number | string
  readonly end: number
}

/**
 * Reads the number, date or address at the cursor together with the characters that touch it, so that `3kg` and `1/3` are invalid instead
 * of 3 and 1.
 */
export function readNumber(cursor: Cursor): ReadNumber | Wait {
  const { text, at } = cursor
  const end = endOfNumber(cursor)
  if (end === WAIT) return WAIT
  const isComment = text.charCodeAt(end) === HASH || text.charCodeAt(end) === SLASH
  if (isComment && end + 3 > text.length && !cursor.isFinal) return cursor.wait()
  // In `1//2`, `//2` isn't a comment.
  if (isComment && /^(?:#|\/\/)[\d.]/.test(text.slice(end, end + 3))) return cursor.refuse('bad_number')
  const token = text.slice(at, end)
  if (JSON_NUMBER.test(token)) return { value: Number(token), end }
  if (DATE.test(token) || ADDRESS.test(token)) {
    cursor.tags.add('unquoted_value')
    return { value: token, end }
  }
  const value = toLooseNumber(token)
  // The text ends here, so more digits may follow.
  if (end === text.length && (value === undefined || token.endsWith('.'))) return cursor.refuse('truncated', end)
  if (value === undefined) return cursor.refuse('bad_number')
  if (token.endsWith('.')) cursor.hasOpenPoint = true
  cursor.tags.add('loose_number')
  return { value, end }
}

function endOfNumber(cursor: Cursor): number | Wait {
  const { text } = cursor
  let end = cursor.at
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (isDelimiter(code) || !(isDigit(code) || isGlued(code))) break
    if (code === SLASH) {
      if (end + 1 === text.length && !cursor.isFinal) return cursor.wait()
      const next = text.charCodeAt(end + 1)
      if (next === SLASH || next === STAR) break
    }
    end++
  }
  return end === text.length && !cursor.isFinal ? cursor.wait() : end
}

/** Returns true for a character that may follow a number. */
function isDelimiter(code: number): boolean {
  return code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || isSpace(code)
}

function isGlued(code: number): boolean {
  return '+-._/%:\u2212'.includes(String.fromCharCode(code)) || isWordStart(code)
}

function toLooseNumber(token: string): number | undefined {
  const digits = OTHER_BASE.exec(token)?.[1]
  if (digits !== undefined) return (/^[-\u2212]/.test(token) ? -1 : 1) * Number(digits)
  return LOOSE_NUMBER.test(token) ? Number(token.replaceAll('_', '').replace('\u2212', '-')) : undefined
}
