/** Decodes backslash escapes in strings. */
import { isAnySpace, isQuote } from '../scanner/characters.ts'
import { type Cursor, WAIT, type Wait } from '../scanner/cursor.ts'

export interface Escape {
  readonly text: string
  readonly length: number
}

/** Results for simple escapes. Shared, because strings contain many of them. */
const SIMPLE: Readonly<Record<string, Escape>> = {
  '"': { text: '"', length: 2 },
  '\\': { text: '\\', length: 2 },
  '/': { text: '/', length: 2 },
  b: { text: '\b', length: 2 },
  f: { text: '\f', length: 2 },
  n: { text: '\n', length: 2 },
  r: { text: '\r', length: 2 },
  t: { text: '\t', length: 2 },
}

const HEX = /^[0-9a-fA-F]{1,4}$/
/**
 * Letters of `\a`, `\e` and `\v`, which are control characters in other languages. In a word such as `\alpha`, the backslash is
 * kept.
 */
const CONTROLS = 'aev'
/** Number of digits in escapes of other languages: `\x41`, `\U0001F600`. */
const CODE_LENGTHS: Readonly<Record<string, number>> = { x: 2, U: 8 }

/**
 * Reads the escape whose backslash is at `at`. Returns its value and length. Adds a tag if JSON has no such escape.
 * `before` returns up to three characters before the backslash. It is called only for the few escapes that depend on them.
 */
export function readEscape(cursor: Cursor, at: number, before: () => string): Escape | Wait {
  const simple = SIMPLE[cursor.text.charAt(at + 1)]
  if (simple === undefined) return readOtherEscape(cursor, at, before)
  const { text } = simple
  // In `C:\Users\bob`, the first backslash is ordinary, so `\b` isn't a backspace. In `\\server\share`, both backslashes at the
  // start may be ordinary.
  if (text !== '"' && text !== '/') cursor.hasDecoded = true
  if (cursor.hasDecoded && cursor.hasKept) return cursor.refuse('bad_escape', at)
  if (text === '\b' || text === '\f' || (text < ' ' && isDrive(before()))) cursor.doubtfulEscape ??= cursor.placeOf(at)
  return simple
}

function readOtherEscape(cursor: Cursor, at: number, before: () => string): Escape | Wait {
  const { text } = cursor
  if (at + 1 >= text.length) return cursor.isFinal ? cursor.refuse('truncated', text.length) : WAIT
  const letter = text.charAt(at + 1)
  if (letter === 'u') return readUnicode(cursor, at)
  const next = text.charAt(at + 2)
  if (next === '' && (letter === '\n' || letter === '$') && !cursor.isFinal) return WAIT
  if (letter === "'" || (letter === '\n' && isGlued(before().slice(-1)) && isGlued(next))) {
    cursor.tags.add('bad_escape')
    return { text: letter, length: 2 }
  }
  // `\_` may be `_` with an extra backslash, and `\0` may be a control character.
  if (cursor.hasDecoded || !isKept(cursor, letter, next)) return cursor.refuse('bad_escape', at)
  const isCode = isForeignCode(cursor, at, letter)
  if (isCode === WAIT) return WAIT
  if (isCode) return cursor.refuse('bad_escape', at)
  cursor.hasKept = true
  cursor.tags.add('kept_backslash')
  return { text: `\\${letter}`, length: 2 }
}

/**
 * Returns true if the backslash before `letter` is kept. Before `$` and `-`, it is kept only after another kept backslash, or if
 * `$` starts a variable, as in `\$HOME` and `\${x}`.
 */
function isKept({ hasKept }: Cursor, letter: string, next: string): boolean {
  return (
    /[\p{L}.*+?()[\]{}|^]/u.test(letter) ||
    (hasKept && (letter === '$' || letter === '-')) ||
    (letter === '$' && /[A-Za-z_{(]/.test(next))
  )
}

/** Returns false for white space and quotes. Next to white space, a backslash at the end of a line may be a line continuation. */
function isGlued(character: string): boolean {
  return character > ' ' && !isQuote(character, 0)
}

/** Returns true for a drive letter such as `C:` in `C:\temp`. */
function isDrive(text: string): boolean {
  return text.length === 2 && /^[A-Za-z]:$/.test(text)
}

/**
 * Returns true for an escape that stands for a single character in other languages: `\x41`, `\U0001F600`, `\N{DASH}` and `\e`.
 */
function isForeignCode({ text, isFinal }: Cursor, at: number, letter: string): boolean | Wait {
  if (CONTROLS.includes(letter)) return at + 2 < text.length || isFinal ? !/[\p{L}_]/u.test(text.charAt(at + 2)) : WAIT
  const length = letter === 'N' ? 1 : (CODE_LENGTHS[letter] ?? 0)
  const digits = text.slice(at + 2, at + 2 + length)
  const isSoFar = letter === 'N' ? digits === '' || digits === '{' : /^[0-9a-fA-F]*$/.test(digits)
  if (digits.length < length && isSoFar && !isFinal) return WAIT
  return length > 0 && digits.length === length && isSoFar
}

function readUnicode(cursor: Cursor, at: number): Escape | Wait {
  const digits = cursor.text.slice(at + 2, at + 6)
  const isHex = digits === '' || HEX.test(digits)
  if (digits.length === 4 && isHex) return { text: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 }
  if (digits.length < 4 && !cursor.isFinal) return WAIT
  return cursor.refuse(digits.length < 4 && isHex ? 'truncated' : 'bad_escape', at)
}

export interface Unescaped {
  readonly text: string
  /** Positions of white-space characters that were written as escapes. */
  readonly spaces: readonly number[]
}

/**
 * Unescapes text that was escaped once as a whole, such as `{\"a\":1}`. Returns undefined if it contains an invalid escape or an
 * unescaped quote.
 */
export function unescapeOnce(text: string): Unescaped | undefined {
  const pieces: string[] = []
  const spaces: number[] = []
  let length = 0
  let from = 0
  let meaning = ''
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', from)) {
    const letter = text.charAt(at + 1)
    const isUnicode = letter === 'u' && HEX.test(text.slice(at + 2, at + 6)) && at + 6 <= text.length
    if (at > from) {
      const between = text.slice(from, at)
      if (hasBareQuote(between, meaning)) return undefined
      pieces.push(between)
    }
    const next = isUnicode ? String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16)) : SIMPLE[letter]?.text
    // `\b` may be a part of `C:\bin` with a missing backslash.
    if (next === undefined || next === '\b' || next === '\f') return undefined
    meaning = next
    pieces.push(meaning)
    length += at - from + 1
    if (isAnySpace(meaning.charCodeAt(0))) spaces.push(length - 1)
    from = at + (isUnicode ? 6 : 2)
  }
  const rest = text.slice(from)
  pieces.push(rest)
  return hasBareQuote(rest, meaning) ? undefined : { text: pieces.join(''), spaces }
}

/**
 * Returns true if the text contains an unescaped quote. A quote directly after an escaped backslash is allowed, because together
 * they stand for `\"`.
 */
function hasBareQuote(text: string, before: string): boolean {
  return text.includes('"', before === '\\' ? 1 : 0)
}
