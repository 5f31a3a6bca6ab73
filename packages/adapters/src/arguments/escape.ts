/** What a backslash and what follows it mean inside a text. */
import { isAnySpace, NEWLINE } from './characters.ts'
import { type Cursor, WAIT, type Wait } from './cursor.ts'

export interface Escape {
  readonly text: string
  readonly length: number
}

/** One object for each: texts hold many of them. */
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
/** Behind a backslash that is kept: letters, and signs that mean something else in a regular expression with it. */
const KEPT = /[\p{L}.*+?()[\]{}|^$-]/u
/** Digits that make one character of a letter behind a backslash in other languages: `\x41`, `\U0001F600`. */
const CODE_LENGTHS: Readonly<Record<string, number>> = { x: 2, U: 8 }

/** The escape at the backslash: what it stands for, and how long it is. One that JSON does not know leaves a tag. */
export function readEscape(cursor: Cursor, at: number): Escape | Wait {
  const simple = SIMPLE[cursor.text.charAt(at + 1)]
  if (simple === undefined) return readOtherEscape(cursor, at)
  // In `C:\Users\bob` a backslash was kept: then the other is no backspace either, and in `\\server\share` the first two may be two.
  if (simple.text !== '"' && simple.text !== '/') cursor.hasDecoded = true
  return cursor.hasDecoded && cursor.hasKept ? cursor.refuse('bad_escape', at) : simple
}

function readOtherEscape(cursor: Cursor, at: number): Escape | Wait {
  const { text } = cursor
  if (at + 1 >= text.length) return cursor.isFinal ? cursor.refuse('truncated', text.length) : WAIT
  const letter = text.charAt(at + 1)
  if (letter === 'u') return readUnicode(cursor, at)
  if (letter === "'" || text.charCodeAt(at + 1) === NEWLINE) {
    cursor.tags.add('bad_escape')
    return { text: letter, length: 2 }
  }
  // `\_` may be `_` with a backslash out of habit, and `\0` a character.
  if (cursor.hasDecoded || !KEPT.test(letter)) return cursor.refuse('bad_escape', at)
  const isCode = isForeignCode(cursor, at, letter)
  if (isCode === WAIT) return WAIT
  if (isCode) return cursor.refuse('bad_escape', at)
  cursor.hasKept = true
  cursor.tags.add('kept_backslash')
  return { text: `\\${letter}`, length: 2 }
}

/** `\x41`, `\U0001F600` and `\N{DASH}` are one character in other languages, and several with the backslash kept. */
function isForeignCode({ text, isFinal }: Cursor, at: number, letter: string): boolean | Wait {
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
  /** Where white space stands in it that was an escape. */
  readonly spaces: readonly number[]
}

/**
 * A text that was escaped as a whole, once: `{\"a\":1}`. Undefined when an escape in it is none of JSON, or when a quote in it was
 * not escaped: then it was not the whole.
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
    if (next === undefined) return undefined
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

/** A quote behind an escaped backslash was itself escaped before. */
function hasBareQuote(text: string, before: string): boolean {
  return text.includes('"', before === '\\' ? 1 : 0)
}
