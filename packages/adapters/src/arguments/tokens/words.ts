/** Reads unquoted words: a literal, or a phrase that can only be a string. */
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
 * Literals of other languages, in lower case, such as YAML's booleans. JSON doesn't have them, and replacing them would be a
 * guess.
 */
const NO_VALUES: readonly string[] = [
  ...['nan', 'inf', 'infinity', 'undefined', 'none', 'nil', 'true', 'false', 'null'],
  ...['yes', 'no', 'on', 'off', 'y', 'n'],
  // The receiver of a method.
  ...['self', 'this'],
  // Type names that a model copied from the schema instead of writing a value.
  ...['string', 'number', 'integer', 'boolean'],
]
const BEGINS_AS_LITERAL = /^(?:true|false|null|none|nil|undefined|nan)\b/i
/** Names of variables, constants and placeholders: `null_value`, `userId`, `CITY`, `YYYY-MM-DD`, `your city`. */
const NAME = /_|^[A-Z]{2,}\d*(?:[-:][A-Z]{2,})*$|^[a-z]+[A-Z]|^[Yy](?:our|OUR)\b/

/** Reads the literal or phrase at the cursor. Refuses a phrase outside objects and lists, because it would be prose. */
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

/** Returns true for a literal of JSON or Python. */
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
  // The quote may end a string that lost its opening quote. In a list, `["a", b"]` may also be a single string.
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

/**
 * Returns true for words with a few symbols between them, or a URL. Returns false for text that may be an expression, a call or a
 * comment.
 */
function isPhrase(text: string): boolean {
  // `x - y`, `x ?? y`, `args.city` and `not b` are expressions.
  const isExpression =
    / (?:[-%]|\?+) |\?[?.]|^(?:not|void|new|await|typeof|lambda) | if .* else /.test(text) ||
    (/\w\.\w/.test(text) && !text.includes('@'))
  return (!isExpression && /^\p{L}[\p{L}\p{M}\p{N} _.!?@%-]*$/u.test(text)) || /^https?:\/\/[\w.~:/?#@!$&*+;=%-]+$/.test(text)
}

/**
 * Returns true for the name of a variable, constant or placeholder, and for words that start with a literal: `null value` may
 * mean null.
 */
function isName(phrase: string): boolean {
  return (NAME.test(phrase) && !phrase.startsWith('http')) || BEGINS_AS_LITERAL.test(phrase)
}

/** Returns true for a misspelled or truncated literal, such as `tru` or `nulll`. It isn't accepted as a string. */
function isNearLiteral(phrase: string): boolean {
  if (phrase.length > 7) return false
  const word = phrase.toLowerCase()
  return NEAR_TO.some((literal) => literal.startsWith(word) || isOneEditAway(word, literal))
}

/** Returns true if one letter is added, missing or different, or if two letters are swapped. */
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
