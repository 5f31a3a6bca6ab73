/** Codes of the characters that matter in valid and malformed JSON, and functions that classify characters. */

export const QUOTE = 0x22
export const APOSTROPHE = 0x27
export const BACKSLASH = 0x5c
export const COMMA = 0x2c
export const COLON = 0x3a
export const SEMICOLON = 0x3b
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d
export const OPEN_PAREN = 0x28
export const CLOSE_PAREN = 0x29
export const NEWLINE = 0x0a
export const SLASH = 0x2f
export const STAR = 0x2a
export const HASH = 0x23
export const MINUS = 0x2d
export const PLUS = 0x2b
export const DOT = 0x2e
export const EQUALS = 0x3d
export const BACKTICK = 0x60
export const TILDE = 0x7e
export const RIGHT_QUOTE = 0x2019
export const ELLIPSIS = 0x2026
/** The Unicode minus sign. */
export const LONG_MINUS = 0x2212
export const AMPERSAND = 0x26
export const GREATER = 0x3e
export const FULL_COMMA = 0xff0c
export const FULL_COLON = 0xff1a
export const FULL_SEMICOLON = 0xff1b
export const LIST_COMMA = 0x3001

/** Returns true for JSON white space. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === NEWLINE || code === 0x0d || code === 0x09
}

const ODD_SPACES =
  '\v\f\u0085\u00a0\u061c\u1680\u180e\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f\u205f\u2060\u2066\u2067\u2068\u2069\u3000\ufeff'

/** Returns true for other Unicode white space, text direction marks and the byte order mark. */
export function isOddSpace(code: number): boolean {
  return (code >= 0x2000 && code <= 0x200f) || ((code > 0x7f || code < 0x20) && ODD_SPACES.includes(String.fromCharCode(code)))
}

export function isAnySpace(code: number): boolean {
  return isSpace(code) || isOddSpace(code)
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Returns true for a character that can start a word: a letter of any language, `_` or `$`. */
export function isWordStart(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code === 0x24
  // Half of a surrogate pair counts as a letter, because many scripts need surrogate pairs.
  return (code >= 0xd800 && code <= 0xdfff) || /\p{L}/u.test(String.fromCharCode(code))
}

/** Returns true for a character that can be part of a word, including `-` (`content-type`). */
export function isWordPart(code: number): boolean {
  return isWordStart(code) || isDigit(code) || code === MINUS
}

/** Returns the position after the word that starts at `at`. */
export function endOfWord(text: string, at: number): number {
  let end = at
  while (end < text.length && isWordPart(text.charCodeAt(end))) end++
  return end
}

/** The closing quotes that match an opening quote, and the tag to report. */
export interface Delimiter {
  readonly closers: string
  readonly tag: 'single_quotes' | 'smart_quotes' | undefined
}

const DELIMITERS: Readonly<Record<string, Delimiter>> = {
  '"': { closers: '"', tag: undefined },
  "'": { closers: "'", tag: 'single_quotes' },
  '`': { closers: '`´', tag: 'single_quotes' },
  '´': { closers: '´', tag: 'single_quotes' },
  '“': { closers: '”“', tag: 'smart_quotes' },
  '”': { closers: '”', tag: 'smart_quotes' },
  '„': { closers: '“”', tag: 'smart_quotes' },
  '‘': { closers: '’‘', tag: 'smart_quotes' },
  '’': { closers: '’', tag: 'smart_quotes' },
  '«': { closers: '»', tag: 'smart_quotes' },
  '「': { closers: '」', tag: 'smart_quotes' },
  '＂': { closers: '＂', tag: 'smart_quotes' },
}

/** Returns the delimiter for the opening quote at this position. Returns undefined for any other character. */
export function delimiterAt(text: string, at: number): Delimiter | undefined {
  return DELIMITERS[text.charAt(at)]
}

export function isQuote(text: string, at: number): boolean {
  return isQuoteCode(text.charCodeAt(at))
}

/** Returns true for the quotes in `DELIMITERS`. */
export function isQuoteCode(code: number): boolean {
  if (code < 0x80) return code === QUOTE || code === APOSTROPHE || code === BACKTICK
  if (code >= 0x2018 && code <= 0x201e) return code !== 0x201a && code !== 0x201b
  return code === 0xb4 || code === 0xab || code === 0xbb || code === 0x300c || code === 0x300d || code === 0xff02
}

/** Returns true for exactly two of the same quote at this position, with text after them. */
export function isDoubledQuote(text: string, at: number): boolean {
  return text.charAt(at + 1) === text.charAt(at) && text.charAt(at + 2) !== text.charAt(at)
}
