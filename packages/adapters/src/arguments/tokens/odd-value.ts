/** Reads values that don't start as in JSON: other quotes, words, parentheses, escapes. */
import {
  BACKSLASH,
  CLOSE_BRACKET,
  DOT,
  ELLIPSIS,
  isDoubledQuote,
  isQuote,
  isWordStart,
  LONG_MINUS,
  OPEN_PAREN,
  PLUS,
} from '../scanner/characters.ts'
import { type Cursor, WAIT, type Wait } from '../scanner/cursor.ts'
import type { Reading } from '../scanner/reading.ts'
import { type Unescaped, unescapeOnce } from './escape.ts'
import { readNumber } from './numbers.ts'
import { isPrefixed, readQuoted } from './quoted.ts'
import { isTextEnd } from './text-end.ts'
import { readWord } from './words.ts'

/** Reads a value that doesn't start as in JSON. Returns false if more text is needed. */
export function readOddValue(reading: Reading, code: number): boolean {
  const { cursor } = reading
  if (isQuote(cursor.text, cursor.at)) return readQuotedValue(reading)
  if (isWordStart(code)) {
    const isText = isPrefixed(cursor, cursor.at)
    if (isText === WAIT) return false
    return isText ? readQuotedValue(reading) : readWordValue(reading)
  }
  if (code === BACKSLASH) return readEscaped(cursor)
  if (code === OPEN_PAREN) return openTuple(reading)
  const isElided = isElision(cursor, code)
  if (isElided === WAIT) return false
  if (isElided) return cursor.refuse('elided')
  return code === DOT || code === PLUS || code === LONG_MINUS ? readOddNumber(reading) : cursor.refuse('unexpected_character')
}

function readQuotedValue(reading: Reading): boolean {
  const { cursor, builder } = reading
  const quoted = readQuoted(cursor, cursor.at)
  if (quoted === WAIT) return false
  if (quoted.text !== '' && isDoubledQuote(cursor.text, cursor.at)) cursor.hasDoubledValue = true
  const isEnd = isTextEnd(cursor, quoted.end, builder.frame.kind)
  if (isEnd === WAIT) return false
  // A whole value in backticks is inline code instead of a string.
  if (builder.frame.kind === 'root' && /^`[{[]/.test(cursor.text.slice(cursor.at, cursor.at + 2)))
    return cursor.refuse('unexpected_character')
  return isEnd ? reading.addQuoted(quoted) : cursor.refuse('unescaped_quote', quoted.end)
}

function readWordValue(reading: Reading): boolean {
  const { cursor, builder } = reading
  const word = readWord(cursor, builder.frame.kind)
  if (word === WAIT) return false
  // `[red green]` may be one string or two.
  const isAlone = builder.frame.kind === 'list' && builder.frame.count === 0 && cursor.text.charCodeAt(word.end) === CLOSE_BRACKET
  if (isAlone && typeof word.value === 'string' && /\s/.test(word.value)) return cursor.refuse('unquoted_value')
  cursor.take(word.end)
  builder.add(word.value)
  return reading.valueRead()
}

function readOddNumber(reading: Reading): boolean {
  const number = readNumber(reading.cursor)
  return number === WAIT ? false : reading.addNumber(number)
}

/** White space before the first token of a value, with escapes. */
const ESCAPED_GAP = /^(?:\\[nrt]|\s)+(?=["{[])/
const LONGEST_GAP = 200

/**
 * Unescapes the rest of the text if it was escaped as a whole, so that it starts with `\"` or `&quot;`. If only the white space
 * between tokens is escaped, it is skipped.
 */
export function readEscaped(cursor: Cursor): boolean {
  if (!cursor.isFinal) {
    cursor.waitForEnd()
    return false
  }
  const { text, at, tags } = cursor
  const isHtml = text.startsWith('&quot;', at) || text.startsWith('&#34;', at)
  const isQuoted = (isHtml || text.startsWith('\\"', at)) && !cursor.hasQuotes && !tags.has('escaped')
  if (!cursor.hasQuotes && !tags.has('escaped') && ESCAPED_GAP.test(text.slice(at, at + LONGEST_GAP))) {
    tags.add('escaped')
    cursor.hasEscapedGaps = true
    return true
  }
  const decode = isHtml ? unescapeHtml : unescapeOnce
  const rest = isQuoted ? decode(text.slice(at)) : undefined
  if (rest === undefined) return cursor.refuse(isQuoted ? 'bad_escape' : 'unexpected_character')
  tags.add('escaped')
  cursor.replaceRest(rest.text, rest.spaces)
  return true
}

/** Unescapes text that was HTML-escaped as a whole. Returns undefined if it contains an unescaped quote or ampersand. */
function unescapeHtml(text: string): Unescaped | undefined {
  let isWhole = !text.includes('"')
  const unescaped = text.replace(/&(?:([a-z]{2,4}|#\d{2}|#x27);)?/g, (_, name: string | undefined) => {
    const character = name === undefined ? undefined : ENTITIES[name]
    if (character === undefined) isWhole = false
    return character ?? ''
  })
  return isWhole ? { text: unescaped, spaces: [] } : undefined
}

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  nbsp: '\u00a0',
  '#34': '"',
  '#39': "'",
  '#x27': "'",
}

function openTuple(reading: Reading): boolean {
  const { cursor } = reading
  if (!cursor.isFinal) {
    cursor.waitForEnd()
    return false
  }
  cursor.tags.add('tuple')
  return reading.open('tuple', 'first item')
}

/** Returns true for `...` or `…`, which stand for data that was left out. */
export function isElision(cursor: Cursor, code: number): boolean | Wait {
  if (code === ELLIPSIS) return true
  if (code !== DOT) return false
  const next = cursor.text.slice(cursor.at, cursor.at + 3)
  return next.length < 3 && !cursor.isFinal && '...'.startsWith(next) ? cursor.wait() : next === '...'
}
