/** Reads the start of the text: the value itself, a code fence, or prose. */
import {
  BACKSLASH,
  BACKTICK,
  DOT,
  endOfWord,
  isDigit,
  isQuote,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  PLUS,
  TILDE,
} from '../scanner/characters.ts'
import { WAIT } from '../scanner/cursor.ts'
import type { Reading } from '../scanner/reading.ts'
import { isQuotedKey } from '../tokens/quoted.ts'
import { isLiteral } from '../tokens/words.ts'
import { findInProse, skipReasoning } from './lead-in.ts'
import { skipFence } from './surroundings.ts'

/** Reads the start of the text. Returns false if more text is needed. */
export function readStart(reading: Reading, code: number): boolean {
  const { cursor } = reading
  const { text, at } = cursor
  if (code === OPEN_BRACE || code === OPEN_BRACKET || isDigit(code) || code === OPEN_PAREN || code === BACKSLASH)
    return expectValue(reading)
  if (code === BACKTICK || code === TILDE) return readFence(reading)
  if (isQuote(text, at)) return readQuotedObject(reading)
  if (!cursor.isFinal) {
    cursor.waitForEnd()
    return false
  }
  if ((code === MINUS || code === DOT || code === PLUS) && /^[-+]?\.?\d/.test(text.slice(at, at + 3))) return expectValue(reading)
  return isLiteralAlone(text, at) ? expectValue(reading) : readProse(reading)
}

function expectValue(reading: Reading): true {
  reading.expected = 'value'
  return true
}

/** An object directly after a quote. In a JSON string, its first quote would have a backslash. */
const IN_QUOTES = /^"\s*\{\s*"/
const MAY_BE_IN_QUOTES = /^"\s*(?:\{\s*)?$/
/** Maximum number of characters from the outer quote to the first inner one. */
const LONGEST_START = 64

/** Skips a quote before an object whose own quotes aren't escaped: `"{"a": 1}"`. Any other quote starts a string. */
function readQuotedObject(reading: Reading): boolean {
  const { cursor } = reading
  const { text, at } = cursor
  const slice = text.slice(at, at + LONGEST_START)
  if (slice.length < LONGEST_START && MAY_BE_IN_QUOTES.test(slice) && !cursor.isFinal) {
    cursor.wait()
    return false
  }
  const start = IN_QUOTES.exec(slice)?.[0]
  if (start === undefined) return expectValue(reading)
  const isKey = isQuotedKey(cursor, at + start.length - 1)
  if (isKey === WAIT) return false
  if (!isKey) return expectValue(reading)
  if (!cursor.isFinal) {
    cursor.waitForEnd()
    return false
  }
  if (!/\}\s*"\s*$/.test(text.slice(-LONGEST_START))) return cursor.refuse('unescaped_quote')
  cursor.tags.add('double_encoded')
  cursor.take(at + 1)
  reading.around = { ...reading.around, isQuoted: true }
  return expectValue(reading)
}

/** Maximum number of nested fences. Any further backticks are treated as quotes. */
const MOST_FENCES = 3

function readFence(reading: Reading): boolean {
  const { cursor } = reading
  const { text, at, isFinal } = cursor
  const end = skipFence(text, at)
  if (end === text.length && !isFinal) {
    cursor.wait()
    return false
  }
  if (end === at || reading.around.fences === MOST_FENCES) return readInlineCode(reading)
  cursor.tags.add('fence')
  cursor.take(end)
  reading.around = { ...reading.around, fences: reading.around.fences + 1 }
  return true
}

/**
 * Reads a value in backticks, such as `{"a":1}`. Refuses a template literal with a placeholder, because it is an expression. Any
 * other text in backticks is a string.
 */
function readInlineCode(reading: Reading): boolean {
  const { cursor } = reading
  const { text, at } = cursor
  const ticks = text.charAt(at + 1) === '`' ? 2 : 1
  if (at + ticks >= text.length && !cursor.isFinal) {
    cursor.wait()
    return false
  }
  if (text.charCodeAt(at) === TILDE || !/[{[]/.test(text.charAt(at + ticks))) return expectValue(reading)
  if (!cursor.isFinal) {
    cursor.waitForEnd()
    return false
  }
  if (text.includes('${', at)) return cursor.refuse('unquoted_value')
  cursor.tags.add('fence')
  cursor.take(at + ticks)
  reading.around = { ...reading.around, fences: reading.around.fences + 1 }
  return expectValue(reading)
}

/** Returns true if a literal stands alone. With other words after it, as in `true or false`, it is part of prose. */
function isLiteralAlone(text: string, at: number): boolean {
  const end = endOfWord(text, at)
  return isLiteral(text.slice(at, end)) && /^\s*(?:$|[,;\]}`<#/])/.test(text.slice(end))
}

function readProse(reading: Reading): true {
  const { cursor } = reading
  if (skipReasoning(cursor)) {
    reading.around = { ...reading.around, hasProse: true }
    return true
  }
  reading.around = findInProse(cursor, reading.around)
  // Code may precede the value inside a fence.
  if (reading.around.fences === 0) reading.expected = 'value'
  return true
}
