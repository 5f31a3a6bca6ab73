/** Reads the key of a member, or skips other text in its place. */
import {
  AMPERSAND,
  BACKSLASH,
  COLON,
  COMMA,
  delimiterAt,
  endOfWord,
  isAnySpace,
  isDigit,
  isDoubledQuote,
  isQuote,
  isWordStart,
  QUOTE,
} from '../scanner/characters.ts'
import { type Cursor, WAIT, type Wait } from '../scanner/cursor.ts'
import { isElision, readEscaped } from './odd-value.ts'
import { hasColon, readOpenKey } from './open-key.ts'
import { isColonAhead, isOrdinaryKey, isPrefixed, isQuotedAhead, type Quoted, readQuoted } from './quoted.ts'

/** Reads the next key. Returns undefined if it skipped something other than a key. */
export function readKey(cursor: Cursor, code: number): Quoted | Wait | undefined {
  if (code === QUOTE) return readPlainKey(cursor) ?? readOpenKey(cursor) ?? readWholeKey(cursor)
  if (isQuote(cursor.text, cursor.at)) return readOpenKey(cursor) ?? readOddKey(cursor)
  if (isWordStart(code) || isDigit(code)) return readUnquotedKey(cursor)
  if (code === BACKSLASH || code === AMPERSAND) return readEscaped(cursor) ? undefined : WAIT
  const isElided = isElision(cursor, code)
  if (isElided === WAIT) return WAIT
  if (code !== COMMA) return cursor.refuse(isElided ? 'elided' : 'bad_key')
  cursor.tags.add('extra_comma')
  cursor.take(cursor.at + 1)
  return undefined
}

/** Reads a key without escapes. Fast path; returns undefined for any other key. */
function readPlainKey(cursor: Cursor): Quoted | Wait | undefined {
  const { text, at } = cursor
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end)
    // An empty key may be the start of a doubled quote.
    if (code === QUOTE) {
      const key = text.slice(at + 1, end)
      const isPlain = text.charCodeAt(end + 1) === COLON || (key !== '' && !hasColon(key))
      return isPlain ? { text: key, end: end + 1 } : undefined
    }
    if (code === BACKSLASH || code < 0x20) return undefined
  }
  return cursor.isFinal ? undefined : cursor.wait()
}

/**
 * Reads a quoted key. Refuses a raw control character, such as a line break, at its start or end, because a quote may be missing.
 */
function readWholeKey(cursor: Cursor): Quoted | Wait {
  const { text, at } = cursor
  const key = readQuoted(cursor, at)
  if (key === WAIT) return WAIT
  if (isDoubledQuote(text, at)) cursor.hasDoubledKey = true
  const isRaw = (place: number) => text.charCodeAt(place) < 0x20
  return isRaw(at + 1) || isRaw(key.end - 2) ? cursor.refuse('bad_key') : key
}

/**
 * Reads a key in quotes other than `"`. Typographic quotes may be misplaced, so the text in them must look like an ordinary key.
 */
function readOddKey(cursor: Cursor): Quoted | Wait {
  const key = readWholeKey(cursor)
  const isSmart = delimiterAt(cursor.text, cursor.at)?.tag === 'smart_quotes'
  return key !== WAIT && isSmart && !isOrdinaryKey(key.text) ? cursor.refuse('bad_key') : key
}

function readUnquotedKey(cursor: Cursor): Quoted | Wait {
  const { text, at } = cursor
  const end = endOfWord(text, at)
  if (end === text.length) return cursor.isFinal ? cursor.refuse('truncated', end) : cursor.wait()
  const word = text.slice(at, end)
  if (isDigit(word.charCodeAt(0)) && !/^\d+$/.test(word)) return cursor.refuse('bad_key')
  if (word.length === 1 && isQuote(text, end)) {
    const isText = isPrefixedKey(cursor, end)
    if (isText === WAIT) return WAIT
    if (isText) return readWholeKey(cursor)
  }
  if (text.charCodeAt(end) === QUOTE) return readHalfQuotedKey(cursor, word, end)
  const isKey = isColonAhead(cursor, end)
  if (isKey === WAIT) return WAIT
  // The colon may be missing too, but only before a quoted value.
  const isFollowed = isKey || isQuotedAhead(cursor, end)
  if (isFollowed === WAIT) return WAIT
  if (!isFollowed) return cursor.refuse('bad_key')
  if (isBehindEscapedSpace(cursor)) return cursor.refuse('bad_escape')
  cursor.tags.add('unquoted_key')
  return { text: word, end }
}

/**
 * Returns true for a position such as `b` in `\n b: 2`, in text that was escaped as a whole. `\n` may be a line break before the
 * key `b`, or the start of a key `n b` that lost a quote. In the same way, `\n1` may be the number 1 or a part of a string `n1`.
 */
export function isBehindEscapedSpace({ text, at, escapedSpaces }: Cursor): boolean {
  for (let before = at - 1; isAnySpace(text.charCodeAt(before)); before--) if (escapedSpaces.has(before)) return true
  return false
}

/**
 * Returns true for a key with a Python prefix: `{u"a": 1}`. Returns false for `{u": 1}`, where the key lacks its opening quote.
 */
function isPrefixedKey(cursor: Cursor, quote: number): boolean | Wait {
  const isText = isPrefixed(cursor, cursor.at)
  if (isText !== true || cursor.text.charCodeAt(quote) !== QUOTE) return isText
  const isColon = isColonAhead(cursor, quote + 1)
  return isColon === WAIT ? WAIT : !isColon
}

/** Reads a key without an opening quote. */
function readHalfQuotedKey(cursor: Cursor, word: string, end: number): Quoted | Wait {
  const isKey = isColonAhead(cursor, end + 1)
  if (isKey === WAIT) return WAIT
  if (!isKey) return cursor.refuse('unescaped_quote', end)
  cursor.missQuote(end)
  return { text: word, end: end + 1 }
}
