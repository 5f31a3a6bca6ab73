/** Decides from the following text whether a quote ends its string. */
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  COMMA,
  DOT,
  endOfWord,
  FULL_COMMA,
  FULL_SEMICOLON,
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
import { type Cursor, WAIT, type Wait } from '../scanner/cursor.ts'
import type { FrameKind } from '../scanner/frame.ts'
import { type Ahead, lookAhead } from '../scanner/skip.ts'
import { isMarkerEnd, mayBeMarker } from '../surroundings/markers.ts'
import { isColonAhead, isQuotedAhead, isQuotedKey } from './quoted.ts'

/** Returns true if the quote directly before `at` ends its string. Waits for the rest of the text if it is needed to decide. */
export function isTextEnd(cursor: Cursor, at: number, kind: FrameKind): boolean | Wait {
  if (kind === 'root') return cursor.isFinal ? isRootEnd(cursor, at) : cursor.waitForEnd()
  const ahead = lookAhead(cursor, at)
  if (ahead === WAIT) return WAIT
  // In `"http:"//x"`, the second quote is extra, and `//x` isn't a comment.
  if (ahead.hasGap && isGluedComment(cursor.text.slice(at, ahead.at))) return false
  const code = cursor.text.charCodeAt(ahead.at)
  switch (code) {
    case COMMA:
    case CLOSE_BRACE:
    case CLOSE_BRACKET:
    case COLON:
      return true
    case CLOSE_PAREN:
      return kind === 'tuple'
    case SEMICOLON:
      return kind === 'object'
    case PLUS:
      return cursor.isFinal ? isQuotedAhead(cursor, ahead.at + 1) : cursor.waitForEnd()
    case FULL_COMMA:
    case FULL_SEMICOLON:
    case LIST_COMMA:
      return isSeparator(cursor, ahead.at, kind)
    case DOT:
      return cursor.isFinal ? cursor.text.startsWith('...', ahead.at) : cursor.waitForEnd()
  }
  if (ahead.at === cursor.text.length) return true
  if (mayBeMarker(cursor.text, ahead.at)) {
    if (!cursor.isFinal) return cursor.waitForEnd()
    if (isMarkerEnd(cursor.text, ahead.at)) return true
  }
  if (kind === 'object') return isKeyAhead(cursor, ahead, code)
  return kind === 'list' && isItemAhead(cursor.text, ahead, code)
}

function isGluedComment(gap: string): boolean {
  return (gap.startsWith('//') || gap.startsWith('#')) && gap.includes('"')
}

/** Returns true if a member or a closing bracket follows the full-width comma. Otherwise, the comma may be part of the string. */
function isSeparator(cursor: Cursor, at: number, kind: FrameKind): boolean | Wait {
  const ahead = lookAhead(cursor, at + 1)
  if (ahead === WAIT) return WAIT
  const code = cursor.text.charCodeAt(ahead.at)
  if (code === CLOSE_BRACE || code === CLOSE_BRACKET) return true
  const separated = { ...ahead, hasGap: true, hasLineBreak: true }
  return kind === 'object' ? isKeyAhead(cursor, separated, code) : isItemAhead(cursor.text, separated, code)
}

/** Returns true if the next member of an object follows without a comma. */
function isKeyAhead(cursor: Cursor, ahead: Ahead, code: number): boolean | Wait {
  if (isQuote(cursor.text, ahead.at)) return isQuotedKey(cursor, ahead.at)
  if (!ahead.hasLineBreak || !isWordStart(code)) return false
  const end = endOfWord(cursor.text, ahead.at)
  if (end === cursor.text.length && !cursor.isFinal) return cursor.wait()
  return isColonAhead(cursor, end)
}

/** Returns true if the next item of a list follows without a comma. */
function isItemAhead(text: string, ahead: Ahead, code: number): boolean {
  const isValue = isQuote(text, ahead.at) || code === OPEN_BRACE || code === OPEN_BRACKET || isDigit(code) || code === MINUS
  return (ahead.hasGap && isValue) || (ahead.hasLineBreak && isWordStart(code))
}

/** Returns true if the rest of the text can follow a string that is the whole value. */
function isRootEnd(cursor: Cursor, at: number): boolean {
  const { text } = cursor
  const ahead = lookAhead(cursor, at)
  if (ahead === WAIT) return false
  if (text.charCodeAt(ahead.at) === PLUS) return isQuotedAhead(cursor, ahead.at + 1) === true
  return /^[\s\]},;]*$/.test(text.slice(ahead.at)) || isMarkerEnd(text, ahead.at)
}
