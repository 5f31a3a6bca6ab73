/** Reads a key whose closing quote is missing: `{"city: "Paris"}`. */

import { type Cursor, WAIT, type Wait } from '../scanner/cursor.ts'
import { isColonAhead, type Quoted } from './quoted.ts'

const WHOLE_REST = /^(?:-?\d+(?:\.\d+)?|true|false|null)\s*\}\s*$/

/**
 * Reads the key at the cursor if its closing quote is missing. The next quote must then start another string: directly after the
 * colon (`{"city: "Paris"}`), or after complete values (`{"days: 3, "city": "Paris"}`). Without another quote, a number or
 * literal must end the object (`{"days: 3}`). Returns undefined if the key isn't of this form.
 */
export function readOpenKey(cursor: Cursor): Quoted | Wait | undefined {
  const { text, at } = cursor
  const quote = text.charAt(at)
  if (quote !== '"' && quote !== "'") return undefined
  const next = text.indexOf(quote, at + 1)
  if (next < 0 && !cursor.isFinal) return cursor.wait()
  if (next >= 0 && !hasColon(text.slice(at + 1, next))) return undefined
  const key = /([\p{L}_$][\p{L}\p{M}\p{N}_$-]*)\s*[:：]\s*/uy
  key.lastIndex = at + 1
  const word = key.exec(text)?.[1]
  const from = key.lastIndex
  if (word === undefined || (next >= 0 && from > next)) return undefined
  if (next >= 0) {
    const isColon = isColonAhead(cursor, next + 1)
    if (isColon === WAIT) return WAIT
    if (isColon || !isBeforeText(text, from, next)) return undefined
  } else if (!WHOLE_REST.test(text.slice(from))) return undefined
  const end = at + 1 + word.length
  cursor.missQuote(end)
  return { text: word, end }
}

export function hasColon(key: string): boolean {
  return key.includes(':') || key.includes('：')
}

/** Returns true if a string can start at the quote: directly after the colon, or after a comma or opening bracket. */
function isBeforeText(text: string, from: number, quote: number): boolean {
  if (from === quote) return !/[,:}\]]/.test(text.charAt(quote + 1))
  return /[-\d[{tfn]/.test(text.charAt(from)) && /[,{[]/.test(text.slice(from, quote).trimEnd().slice(-1))
}
