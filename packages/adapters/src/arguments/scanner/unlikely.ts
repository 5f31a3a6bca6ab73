/** Refuses repairs that are safe on their own but ambiguous in combination. */

import type { ArgumentErrorCode, RecoveryTag } from '../tags.ts'
import type { Cursor } from './cursor.ts'

/** Repairs that decide how a whole token is read. Each has the code to report if another repair makes it ambiguous. */
const BOLD: { readonly [Tag in RecoveryTag]?: ArgumentErrorCode } = {
  missing_quote: 'unescaped_quote',
  unescaped_quote: 'unescaped_quote',
  doubled_quotes: 'unescaped_quote',
  unquoted_value: 'unquoted_value',
  missing_colon: 'missing_colon',
  extra_comma: 'missing_value',
  wrong_close: 'mismatched_close',
  escaped: 'bad_escape',
}

/** Repairs that look similar to a missing comma. */
const WITH_COMMAS: readonly RecoveryTag[] = ['missing_quote', 'unescaped_quote', 'doubled_quotes']
/** Repairs of brackets and of text around the value. A misread token can also make them seem necessary. */
const OF_BRACKETS: readonly RecoveryTag[] = ['missing_close', 'extra_close', 'surrounding_text']

/** Refuses text with two different token repairs, or with both a token repair and a bracket repair. */
export function refuseUnlikely(cursor: Cursor): void {
  let first: ArgumentErrorCode | undefined
  for (const tag of cursor.tags) {
    const code = BOLD[tag]
    if (code === undefined) continue
    if (first !== undefined) cursor.refuse(first)
    first = code
  }
  // The inner quotes of `{"a":""b""}` may belong to the string. With keys in doubled quotes, all quotes are doubled.
  if (cursor.hasDoubledValue && !cursor.hasDoubledKey) cursor.refuse('unescaped_quote')
  // A comma is missing on the same line, so the extra bracket may stand for it.
  if (cursor.lacksCommaInLine && cursor.tags.has('extra_close')) cursor.refuse('missing_comma')
  const mayLackComma = cursor.hasOpenPoint || WITH_COMMAS.some((tag) => cursor.tags.has(tag))
  if (cursor.tags.has('missing_comma') && mayLackComma) cursor.refuse('missing_comma')
  // `["x"，b"]` may be one string that contains a quote.
  if (first !== undefined && cursor.tags.has('full_width')) cursor.refuse(first)
  if (cursor.tags.has('wrong_close') && cursor.tags.has('comment')) cursor.refuse('mismatched_close')
  if (first !== undefined && OF_BRACKETS.some((tag) => cursor.tags.has(tag))) cursor.refuse(first)
}
