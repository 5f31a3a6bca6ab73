/** Reads an unquoted value: a literal, or a phrase that can only be a string. */
import { endOfWord, isQuote, NEWLINE } from '../scanner/characters.ts'
import { type Cursor, WAIT, type Wait } from '../scanner/cursor.ts'
import type { FrameKind } from '../scanner/frame.ts'
import { isPhraseForData } from '../surroundings/left-out.ts'

export interface Word {
  readonly value: string | boolean | null
  readonly end: number
}

const LITERALS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }
const PYTHON: Readonly<Record<string, boolean | null>> = { True: true, False: false, None: null }
const OTHER_CASES: Readonly<Record<string, boolean | null>> = { TRUE: true, FALSE: false, NULL: null, Null: null, nil: null }
const NEAR_TO: readonly string[] = ['true', 'false', 'null', 'none']
/**
 * Literals of other languages, in lower case, e.g. the booleans of YAML. JSON doesn't have them, and any replacement would be a guess.
 */
const NO_VALUES: readonly string[] = [
  ...['nan', 'inf', 'infinity', 'undefined', 'none', 'nil', 'true', 'false', 'null'],
  ...['yes', 'no', 'on', 'off', 'y', 'n'],
  // Type names from a schema, written in place of a value.
  ...['string', 'number', 'integer', 'boolean'],
]
const BEGINS_AS_LITERAL = /^(?:true|false|null|none|nil|undefined|nan)\b/i
/** Names of variables and constants, and placeholders: `null_value`, `userId`, `CITY`, `YYYY-MM-DD`, `your city`. */
const NAME = /_|^[A-Z]{2,}\d*(?:[-:][A-Z]{2,})*$|^[a-z]+[A-Z]|^[Yy](?:our|OUR)\b/

/** Reads the literal or phrase at the cursor. Refuses a phrase outside objects and lists, where it would be prose. */
export function readWord(cursor: Cursor, kind: FrameKind): Word | Wait {
  const { text, at } = cursor
  const end = endOfWord(text, at)
  if (end === text.length && !cursor.isFinal) return cursor.wait()
  const word = text.slice(at, end)
  const literal = readAs(LITERALS, word)
  if (literal !== undefined) return { value: literal, end }
  const python = readAs(PYTHON, word)
  if (python !== undefined) {
    cursor.tags.add('python_literal')
    return { value: python, end }
  }
  if (kind === 'root') return cursor.refuse('unquoted_value')
  return readPhrase(cursor, word, end, kind)
}

/** True for a literal of JSON or Python. */
export function isLiteral(word: string): boolean {
  return Object.hasOwn(LITERALS, word) || Object.hasOwn(PYTHON, word)
}

function readAs(words: Readonly<Record<string, boolean | null>>, word: string): boolean | null | undefined {
  return Object.hasOwn(words, word) ? words[word] : undefined
}

function readPhrase(cursor: Cursor, word: string, wordEnd: number, kind: FrameKind): Word | Wait {
  const { text, at } = cursor
  const end = endOfPhrase(cursor, wordEnd)
  if (end === WAIT) return WAIT
  // The quote may close a string that lost its opening quote. In a list, `["a", b"]` may also be one string.
  if (isQuote(text, end)) return kind === 'object' ? closedByQuote(cursor, end) : cursor.refuse('unescaped_quote', end)
  const phrase = text.slice(at, end).trimEnd()
  if (end === text.length) return cursor.refuse('truncated', end)
  if (phrase.endsWith('...') || phrase.endsWith('…')) return cursor.refuse('elided', at)
  const value = phrase === word ? readAs(OTHER_CASES, word) : undefined
  if (value !== undefined) {
    cursor.tags.add('literal_case')
    return { value, end }
  }
  if (NO_VALUES.includes(phrase.toLowerCase())) return cursor.refuse('not_json_value')
  if (isPhraseForData(phrase)) return cursor.refuse('elided')
  if (!isPhrase(phrase) || isNearLiteral(phrase) || isName(phrase)) return cursor.refuse('unquoted_value')
  cursor.tags.add('unquoted_value')
  return { value: phrase, end }
}

function endOfPhrase(cursor: Cursor, from: number): number | Wait {
  const { text } = cursor
  for (let end = from; end < text.length; end++) {
    if (text.charCodeAt(end) === NEWLINE || ',}]'.includes(text.charAt(end)) || isQuote(text, end)) return end
  }
  return cursor.isFinal ? text.length : cursor.wait()
}

function closedByQuote(cursor: Cursor, end: number): Word | Wait {
  const { text, at } = cursor
  if (end + 1 === text.length && !cursor.isFinal) return cursor.wait()
  const phrase = text.slice(at, end)
  if (text.charAt(end) !== '"' || !',}]'.includes(text.charAt(end + 1)) || end + 1 === text.length || !isPhrase(phrase))
    return cursor.refuse('unquoted_value')
  cursor.missQuote(end)
  return { value: phrase, end: end + 1 }
}

/** True for words with a few symbols between them, or a URL. False for text that may be an expression, a call or a comment. */
function isPhrase(text: string): boolean {
  // `x - y`, `x ?? y`, `args.city` and `not b` are expressions.
  const isExpression =
    / (?:[-%]|\?+) |\?[?.]|^(?:not|void|new|await|typeof|lambda) | if .* else /.test(text) ||
    (/\w\.\w/.test(text) && !text.includes('@'))
  return (!isExpression && /^\p{L}[\p{L}\p{M}\p{N} _.!?@%-]*$/u.test(text)) || /^https?:\/\/[\w.~:/?#@!$&*+;=%-]+$/.test(text)
}

/** True for the name of a variable, constant or placeholder, and for words that start with a literal: `null value` may mean null. */
function isName(phrase: string): boolean {
  return (NAME.test(phrase) && !phrase.startsWith('http')) || BEGINS_AS_LITERAL.test(phrase)
}

/** True for a misspelled or incomplete literal: `tru`, `nulll`. Such a word isn't accepted as a string. */
function isNearLiteral(phrase: string): boolean {
  if (phrase.length > 7) return false
  const word = phrase.toLowerCase()
  return NEAR_TO.some((literal) => literal.startsWith(word) || isOneEditAway(word, literal))
}

/** True if the words differ in one added, missing or different letter, or if two letters are swapped. */
function isOneEditAway(word: string, other: string): boolean {
  let start = 0
  while (start < word.length && word[start] === other[start]) start++
  let [end, otherEnd] = [word.length, other.length]
  while (end > start && otherEnd > start && word[end - 1] === other[otherEnd - 1]) {
    end--
    otherEnd--
  }
  const [left, right] = [word.slice(start, end), other.slice(start, otherEnd)]
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === [...right].reverse().join(''))
}
