/** What the readers of odd tokens see of the scanner, and what they leave it with. */

import type { Surroundings } from '../surroundings/surroundings.ts'
import type { ReadNumber } from '../tokens/numbers.ts'
import type { Quoted } from '../tokens/quoted.ts'
import type { Builder } from './builder.ts'
import type { Cursor } from './cursor.ts'
import type { FrameKind } from './frame.ts'

/** What comes next. `item` and `key` after a comma, `first` before it; a `member` is over, and a comma or bracket is due. */
export type Expected =
  | 'start'
  | 'value'
  | 'first item'
  | 'item'
  | 'first key'
  | 'key'
  | 'colon'
  | 'member'
  | 'text'
  | 'rest'
  | 'end'

export interface Reading {
  readonly cursor: Cursor
  readonly builder: Builder
  expected: Expected
  around: Surroundings
  /** The last token was a number: one with a quote glued to it may be cut. */
  readonly isAfterNumber: boolean
  /** Steps over the bracket, into the list or object that it opens. */
  open(kind: Exclude<FrameKind, 'root'>, expected: Expected): true
  /** A value was added. */
  valueRead(isNumber?: boolean): true
  addNumber(number: ReadNumber): true
  /** A text that was read as a whole. */
  addQuoted(quoted: Quoted): true
}
