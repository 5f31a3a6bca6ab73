/** Reads complete strings in any kind of quotes: keys, and values in unusual quotes. */
import {
  APOSTROPHE,
  BACKSLASH,
  COLON,
  delimiterAt,
  EQUALS,
  FULL_COLON,
  isQuote,
  isQuoteCode,
  isWordStart,
  RIGHT_QUOTE,
} from '../scanner/characters.ts'
import { type Cursor, WAIT, type Wait } from '../scanner/cursor.ts'
import { lookAhead } from '../scanner/skip.ts'
import { readEscape } from './escape.ts'

export interface Quoted {
  readonly text: string
  /** The position after the closing quote. */
  readonly end: number
}

/**
 * Reads the string that starts at `start`, up to the first quote that ends it. If it starts with two or three quotes, it must end
 * with the same number, unless a comma or bracket directly follows the opening quotes.
 */
export function readQuoted(cursor: Cursor, start: number): Quoted | Wait {
  const { text } = cursor
  const at = isQuote(text, start) ? start : start + 1
  const isRaw = at > start && 'rR'.includes(text.charAt(start))
  const delimiter = delimiterAt(text, at)
  if (delimiter === undefined) return cursor.refuse('unexpected_character', at)
  const quotes = countQuotes(cursor, at)
  if (quotes === WAIT) return WAIT
  if (quotes > 3 || (quotes > 1 && !`"'`.includes(text.charAt(at)))) return cursor.refuse('unescaped_quote', at)
  if (delimiter.tag !== undefined) cursor.tags.add(delimiter.tag)
  if (quotes > 1) cursor.tags.add('doubled_quotes')
  if (at > start) cursor.tags.add('python_literal')
  return readBody(cursor, at, { quotes, closers: quotes === 1 ? delimiter.closers : text.charAt(at), isRaw })
}

/**
 * Returns true for a string with a Python prefix that doesn't change its meaning: `u'a'`, `r"b"`. Returns false for the `u` in
 * `{"a":u"}`, where the string lacks its opening quote.
 */
export function isPrefixed(cursor: Cursor, at: number): boolean | Wait {
  const { text } = cursor
  if (!'uUrR'.includes(text.charAt(at))) return false
  if (at + 2 >= text.length && !cursor.isFinal) return cursor.wait()
  const quote = text.charAt(at + 1)
  return quote === "'" || (quote === '"' && !',}]'.includes(text.charAt(at + 2)))
}

/** How the quoted string is delimited and escaped. */
interface Written {
  readonly quotes: number
  readonly closers: string
  /** True if a backslash is an ordinary character. */
  readonly isRaw: boolean
}

/** Returns the number of quotes that open the string at `at`. For an empty string, this is one. */
function countQuotes(cursor: Cursor, at: number): number | Wait {
  const { text } = cursor
  const quote = text.charAt(at)
  if (text.charAt(at + 1) !== quote) return at + 1 < text.length || cursor.isFinal ? 1 : cursor.wait()
  let end = at + 2
  while (end < at + 5 && text.charAt(end) === quote) end++
  if (end === text.length && !cursor.isFinal) return cursor.wait()
  if (end - at !== 2) return end - at
  const ahead = lookAhead(cursor, end)
  if (ahead === WAIT) return WAIT
  return ahead.hasGap || ahead.at === text.length || ',:;=+]})'.includes(text.charAt(ahead.at)) ? 1 : 2
}

function readBody(cursor: Cursor, at: number, written: Written): Quoted | Wait {
  const { text } = cursor
  const { quotes, closers, isRaw } = written
  let read = ''
  let from = at + quotes
  let apostrophes = 0
  cursor.beginText()
  for (let end = from; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (isOrdinary(code)) continue
    if (code === BACKSLASH && isRaw) {
      if (isQuote(text, end + 1)) return cursor.refuse('bad_escape', end)
    } else if (code === BACKSLASH) {
      const backslash = end
      const escaped = readEscape(cursor, end, () => text.slice(Math.max(at + quotes, backslash - 3), backslash))
      if (escaped === WAIT) return cursor.wait()
      read += text.slice(from, end) + escaped.text
      from = end + escaped.length
      end = from - 1
    } else if (code < 0x20) cursor.tags.add('control_character')
    else if (closers.includes(text.charAt(end))) {
      const isInWord = quotes === 1 && isApostrophe(cursor, end)
      if (isInWord === WAIT) return WAIT
      if (isInWord) {
        if (++apostrophes > MAX_APOSTROPHES) return cursor.refuse('unescaped_quote', end)
        cursor.tags.add('unescaped_quote')
        continue
      }
      if (end + quotes > text.length && !cursor.isFinal) return cursor.wait()
      if (quotes === 1 || text.startsWith(closers.repeat(quotes), end))
        return toQuoted(cursor, read + text.slice(from, end), end + quotes, written)
      if (quotes === 2) return cursor.refuse('unescaped_quote', end)
    }
  }
  return cursor.isFinal ? cursor.refuse('truncated', text.length) : cursor.wait()
}

/** Maximum number of unescaped apostrophes in a string. With each one, the end of the string becomes less certain. */
const MAX_APOSTROPHES = 32

function isOrdinary(code: number): boolean {
  return code >= 0x20 && code !== BACKSLASH && !isQuoteCode(code)
}

/**
 * Returns true for the quote in `it's`, `O'Neil` and `l'eau`, which doesn't end the string. Between other letters, a quote may
 * end one string and start another.
 */
function isApostrophe(cursor: Cursor, at: number): boolean | Wait {
  const { text } = cursor
  const code = text.charCodeAt(at)
  if (code !== APOSTROPHE && code !== RIGHT_QUOTE) return false
  if (at + 1 < text.length && !isWordStart(text.charCodeAt(at + 1))) return false
  // More letters are needed to decide.
  if (at + 5 > text.length && !cursor.isFinal) return cursor.wait()
  // Contractions: `it's`, `don't`, `I'm`, `we're`, `I've`, `you'll`, `he'd`. Elisions: `O'Neil`, `l'eau`, `qu'il`.
  const inWord =
    /(?:(?<=\p{L})['’](?:[sd]|re|ve|ll)|(?<=n)['’]t|(?<=I)['’]m)(?![\p{L}\p{N}])|(?<=(?<![\p{L}\p{N}])(?:[CDJLMNOSTcdjlmnost]|[Qq]u))['’]\p{L}{2}/uy
  inWord.lastIndex = at
  return inWord.test(text)
}

/**
 * Creates the quoted string. Refuses doubled or tripled quotes that may belong to two separate strings with text between them.
 */
function toQuoted(cursor: Cursor, text: string, end: number, { quotes, closers }: Written): Quoted {
  if (quotes === 2 && /[,:{}[\]]/.test(text)) return cursor.refuse('unescaped_quote', end)
  if (quotes === 3 && /^\s*[,:]|["']\s*[,:]/.test(text)) return cursor.refuse('unescaped_quote', end)
  // The string starts with a closing quote and also contains the opening quote that matches it.
  if ((closers === '”' && text.includes('“')) || (closers === '’' && text.includes('‘')))
    return cursor.refuse('unescaped_quote', end)
  // A template literal with a placeholder is an expression.
  if (closers.startsWith('`') && text.includes('${')) return cursor.refuse('unquoted_value', end)
  return { text, end }
}

/** Maximum number of characters that a search for a key reads. */
const LONGEST_KEY = 256
/** Characters that ordinary keys don't contain. They end the search for a key. */
const NOT_IN_KEY = /[^\w$@ ./:)\u0080-\uffff-]/

/**
 * Returns true if a quoted key and a colon start at `at`. Adds no tags. Used only where a comma or quote may be missing before
 * the key. Returns false for unusual keys, because `{"a":1 ",b":2}` is ambiguous.
 */
export function isQuotedKey(cursor: Cursor, at: number): boolean | Wait {
  const { text } = cursor
  const closers = delimiterAt(text, at)?.closers
  if (closers === undefined) return false
  for (let end = at + 1; end < text.length; end++) {
    if (end > at + LONGEST_KEY) return false
    const character = text.charAt(end)
    if (closers.includes(character)) return isOrdinaryKey(text.slice(at + 1, end)) && isColonAhead(cursor, end + 1)
    if (NOT_IN_KEY.test(character)) return false
  }
  return cursor.isFinal ? false : cursor.wait()
}

export function isOrdinaryKey(key: string): boolean {
  return /^[\p{L}\p{N}_$@](?:[\p{L}\p{M}\p{N}_$@ ./:-]*[\p{L}\p{M}\p{N}_$)])?$/u.test(key)
}

export function isColonAhead(cursor: Cursor, at: number): boolean | Wait {
  const ahead = lookAhead(cursor, at)
  if (ahead === WAIT) return WAIT
  const code = cursor.text.charCodeAt(ahead.at)
  return code === COLON || code === EQUALS || code === FULL_COLON
}

/** Returns true if a quoted string starts at this position. */
export function isQuotedAhead(cursor: Cursor, at: number): boolean | Wait {
  const ahead = lookAhead(cursor, at)
  return ahead === WAIT ? WAIT : isQuote(cursor.text, ahead.at)
}
