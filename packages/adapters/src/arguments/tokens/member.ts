/** Handles unexpected text after a key or after a member. */
import {
  DOT,
  EQUALS,
  endOfWord,
  FULL_COLON,
  FULL_COMMA,
  FULL_SEMICOLON,
  GREATER,
  isDigit,
  isQuote,
  isWordStart,
  LIST_COMMA,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  SEMICOLON,
} from '../scanner/characters.ts'
import { type Cursor, WAIT } from '../scanner/cursor.ts'
import type { Reading } from '../scanner/reading.ts'
import { isMarkerEnd, mayBeMarker } from '../surroundings/markers.ts'
import { isElision } from './odd-value.ts'
import { isColonAhead, isOrdinaryKey, isQuotedKey } from './quoted.ts'

/** Reads anything other than a colon after a key. Returns false if more text is needed. */
export function readOddColon(reading: Reading, code: number): boolean {
  const { cursor } = reading
  const { text, at } = cursor
  if ((code === EQUALS || code === MINUS) && at + 1 === text.length && !cursor.isFinal) return waits(cursor)
  if (code === EQUALS || (code === MINUS && text.charCodeAt(at + 1) === GREATER)) {
    if (text.charCodeAt(at + 1) === EQUALS) return cursor.refuse('missing_colon')
    cursor.tags.add('equals_sign')
    cursor.take(text.charCodeAt(at + 1) === GREATER ? at + 2 : at + 1)
  } else if (code === FULL_COLON) {
    cursor.tags.add('full_width')
    cursor.take(at + 1)
  } else {
    const isValue = isDigit(code) || code === MINUS || code === OPEN_BRACE || code === OPEN_BRACKET
    const { key } = reading.builder.frame
    if ((!isValue && !(cursor.hasGap && isQuote(text, at))) || !isOrdinaryKey(String(key))) return refuseColon(cursor, code)
    cursor.tags.add('missing_colon')
  }
  reading.expected = 'value'
  return true
}

function refuseColon(cursor: Cursor, code: number): never {
  const isGlued = isWordStart(code) && !cursor.hasGap
  return cursor.refuse(isGlued || isQuote(cursor.text, cursor.at) ? 'unescaped_quote' : 'missing_colon')
}

/** Reads anything other than a comma or closing bracket after a member. Returns false if more text is needed. */
export function readOddMember(reading: Reading, code: number): boolean {
  const { cursor, builder } = reading
  if (code === SEMICOLON && builder.frame.kind === 'object') {
    cursor.tags.add('semicolon')
    cursor.take(cursor.at + 1)
    reading.expected = 'key'
    return true
  }
  if (code === FULL_COMMA || code === FULL_SEMICOLON || code === LIST_COMMA) {
    cursor.tags.add('full_width')
    cursor.take(cursor.at + 1)
    reading.expected = builder.frame.kind === 'object' ? 'key' : 'item'
    return true
  }
  const isElided = isElision(cursor, code)
  if (isElided === WAIT) return false
  if (isElided) return cursor.refuse('elided')
  if (mayBeMarker(cursor.text, cursor.at)) {
    if (!cursor.isFinal) return waitsForEnd(cursor)
    if (isMarkerEnd(cursor.text, cursor.at)) return endAtMarker(cursor)
  }
  return builder.frame.kind === 'object' ? readNextKey(reading, code) : readNextItem(reading, code)
}

/** Ends the value at a template marker. */
function endAtMarker(cursor: Cursor): true {
  cursor.tags.add('trailing_marker')
  cursor.at = cursor.text.length
  return true
}

function readNextKey(reading: Reading, code: number): boolean {
  const { cursor } = reading
  const { text, at } = cursor
  // If a quote follows directly, the number may be incomplete.
  if (reading.isAfterNumber && !cursor.hasGap) return cursor.refuse('missing_comma')
  // `1 000` is one number.
  if (reading.isAfterNumber && isDigit(code)) return cursor.refuse('bad_number')
  const isKey = isQuote(text, at)
    ? isQuotedKey(cursor, at)
    : cursor.hasLineBreak && isWordStart(code) && isColonAhead(cursor, endOfWord(text, at))
  if (isKey === WAIT) return false
  return isKey ? commaIsMissing(reading, 'key') : refuseMember(cursor, code)
}

function readNextItem(reading: Reading, code: number): boolean {
  const { cursor } = reading
  const { text, at, hasGap, hasLineBreak } = cursor
  // `("a" "b")` is one string in Python.
  if (reading.builder.frame.kind === 'tuple') return cursor.refuse('missing_comma')
  // `[1 2 3]` may be one number, or an expression.
  const isNumber = isDigit(code) || code === MINUS || code === PLUS || code === DOT
  if (reading.isAfterNumber && isNumber && !hasLineBreak) return cursor.refuse('missing_comma')
  // `['a' 'b']` is one string in Python.
  if (isQuote(text, at) && cursor.tags.has('single_quotes') && !hasLineBreak) return cursor.refuse('missing_comma')
  const isList = code === OPEN_BRACE || code === OPEN_BRACKET
  const isValue = isList || (hasGap && (isQuote(text, at) || isDigit(code) || code === MINUS))
  if (isValue || (hasLineBreak && isWordStart(code))) return commaIsMissing(reading, 'item')
  return refuseMember(cursor, code)
}

function commaIsMissing(reading: Reading, expected: 'key' | 'item'): true {
  const { cursor } = reading
  if (!cursor.hasLineBreak) cursor.lacksCommaInLine = true
  cursor.tags.add('missing_comma')
  reading.expected = expected
  return true
}

function refuseMember(cursor: Cursor, code: number): never {
  if (isWordStart(code)) return cursor.refuse('unquoted_value')
  return cursor.refuse(code === PLUS || isQuote(cursor.text, cursor.at) ? 'unescaped_quote' : 'missing_comma')
}

function waits(cursor: Cursor): false {
  cursor.wait()
  return false
}

function waitsForEnd(cursor: Cursor): false {
  cursor.waitForEnd()
  return false
}
