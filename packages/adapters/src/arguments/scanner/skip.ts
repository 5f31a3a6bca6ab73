/** Skips white space and comments. */

import { isCommentForData, mayHideBrackets, mayHideMembers } from '../surroundings/left-out.ts'
import { BACKSLASH, HASH, isOddSpace, isSpace, NEWLINE, SLASH, STAR } from './characters.ts'
import { type Cursor, WAIT, type Wait } from './cursor.ts'

/** Moves to the next token. Returns false at the end of the text. */
export function skipToToken(cursor: Cursor): boolean | Wait {
  const { text } = cursor
  while (cursor.at < text.length) {
    const code = text.charCodeAt(cursor.at)
    if (isSpace(code)) {
      cursor.hasGap = true
      if (code === NEWLINE) cursor.hasLineBreak = true
      cursor.at++
    } else if (code !== SLASH && code !== HASH && code !== BACKSLASH && !isOddSpace(code)) return true
    else {
      const end = skipOdd(cursor, cursor.at, code)
      if (end === WAIT) return WAIT
      if (end === cursor.at) return true
      cursor.hasGap = true
      if (text.charCodeAt(end - 1) === NEWLINE) cursor.hasLineBreak = true
      cursor.at = end
    }
  }
  return cursor.isFinal ? false : WAIT
}

/** The next token's position and what precedes it. The cursor isn't moved. */
export interface Ahead {
  /** The position of the next token, or the length of the text if there is none. */
  readonly at: number
  readonly hasGap: boolean
  readonly hasLineBreak: boolean
}

export function lookAhead(cursor: Cursor, from: number): Ahead | Wait {
  const { text } = cursor
  let at = from
  let hasLineBreak = false
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (isSpace(code) || isOddSpace(code)) {
      if (code === NEWLINE) hasLineBreak = true
      at++
      continue
    }
    const end = code === SLASH || code === HASH ? endOfComment(cursor, at, code) : endOfEscapedSpace(cursor, at, code)
    if (end === WAIT) return WAIT
    if (end === at) return { at, hasGap: at > from, hasLineBreak }
    if (text.charCodeAt(end - 1) === NEWLINE) hasLineBreak = true
    at = end
  }
  return cursor.isFinal ? { at, hasGap: at > from, hasLineBreak } : cursor.wait()
}

/** Returns the position after `\n`, `\r` or `\t`, written as an escape between tokens. Returns `at` for anything else. */
function endOfEscapedSpace({ hasEscapedGaps, text }: Cursor, at: number, code: number): number {
  return code === BACKSLASH && hasEscapedGaps && /[nrt]/.test(text.charAt(at + 1)) ? at + 2 : at
}

/** Returns the position after unusual white space or a comment. Returns `at` if there is neither. */
function skipOdd(cursor: Cursor, at: number, code: number): number | Wait {
  if (code === BACKSLASH) return endOfEscapedSpace(cursor, at, code)
  if (isOddSpace(code)) {
    cursor.tags.add('odd_whitespace')
    return at + 1
  }
  const end = endOfComment(cursor, at, code)
  if (end === WAIT || end === at) return end
  // `[#news, #sport]` contains unquoted strings instead of comments.
  if (cursor.isValueDue && /^(?:#|\/\/)[^\s#/]/.test(cursor.text.slice(at, at + 3))) cursor.refuse('unquoted_value', at)
  cursor.tags.add('comment')
  const comment = cursor.text.slice(at, end)
  // `[1, 2, // and so on` leaves out data, like `[1, 2, ...`.
  if (isCommentForData(comment)) cursor.refuse('elided', at)
  const isEnded = code === HASH || comment[1] === '/' ? comment.endsWith('\n') : comment.length > 3 && comment.endsWith('*/')
  // Before the value starts, there are no members that a comment could hide.
  if (mayHideBrackets(comment) || (!cursor.isBeforeText && mayHideMembers(comment)))
    cursor.refuse(isEnded ? 'unescaped_quote' : 'truncated', at)
  if (!isEnded || /[\]}]/.test(comment)) cursor.hasLostEnd = true
  return end
}

/** Returns the position after the comment, or `at` if there is no comment. A line comment includes its line break. */
function endOfComment(cursor: Cursor, at: number, code: number): number | Wait {
  const { text, isFinal } = cursor
  const isBlock = code === SLASH && text.charCodeAt(at + 1) === STAR
  if (code === SLASH && !isBlock && text.charCodeAt(at + 1) !== SLASH) return at + 1 < text.length || isFinal ? at : cursor.wait()
  const found = isBlock ? cursor.next('*/', at + 2) : cursor.next('\n', at)
  if (found >= 0) return isBlock ? found + 2 : found + 1
  return isFinal ? text.length : cursor.wait()
}
