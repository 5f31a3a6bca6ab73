/** How a text begins: with a value, a fence, or words around the value. */
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
} from './characters.ts'
import type { Reading } from './reading.ts'
import { findInProse, skipFence } from './surroundings.ts'
import { isLiteral } from './words.ts'

/** False when it waits for more text. */
export function readStart(reading: Reading, code: number): boolean {
  const { cursor } = reading
  const { text, at } = cursor
  if (code === OPEN_BRACE || code === OPEN_BRACKET || isDigit(code) || code === OPEN_PAREN || code === BACKSLASH)
    return expectValue(reading)
  if (code === BACKTICK) return readFence(reading)
  if (isQuote(text, at)) return expectValue(reading)
  if (!cursor.isFinal) {
    cursor.waitForEnd()
    return false
  }
  const next = text.charCodeAt(at + 1)
  if ((code === MINUS || code === DOT || code === PLUS) && isDigit(next)) return expectValue(reading)
  return isLiteralAlone(text, at) ? expectValue(reading) : readProse(reading)
}

function expectValue(reading: Reading): true {
  reading.expected = 'value'
  return true
}

function readFence(reading: Reading): boolean {
  const { cursor } = reading
  const end = skipFence(cursor.text, cursor.at)
  if (end === cursor.text.length && !cursor.isFinal) {
    cursor.wait()
    return false
  }
  if (!cursor.text.startsWith('```', cursor.at)) return expectValue(reading)
  cursor.tags.add('fence')
  cursor.take(end)
  reading.around = { hasProse: false, isCalled: false, isFenced: true }
  return expectValue(reading)
}

/** A literal, and nothing behind it that would make it a word of prose. */
function isLiteralAlone(text: string, at: number): boolean {
  const end = endOfWord(text, at)
  return isLiteral(text.slice(at, end)) && /^\s*(?:$|[,;\]}`<#/])/.test(text.slice(end))
}

function readProse(reading: Reading): true {
  reading.around = findInProse(reading.cursor)
  return expectValue(reading)
}
