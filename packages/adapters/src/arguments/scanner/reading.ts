/** The part of the scanner that readers of unusual tokens use. */

import type { Surroundings } from '../surroundings/surroundings.ts'
import type { ReadNumber } from '../tokens/numbers.ts'
import type { Quoted } from '../tokens/quoted.ts'
import type { Builder } from './builder.ts'
import type { Cursor } from './cursor.ts'
import type { FrameKind } from './frame.ts'

/**
 * What the scanner expects next. `first item` and `first key` follow an opening bracket, `item` and `key` follow a comma. `member` means
 * that a comma or closing bracket is expected after a value.
 */
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
  /** True after a number. If a quote follows directly, the number may be incomplete. */
  readonly isAfterNumber: boolean
  /** Consumes the bracket and opens the list or object. */
  open(kind: Exclude<FrameKind, 'root'>, expected: Expected): true
  /** Called after a value was added. */
  valueRead(isNumber?: boolean): true
  addNumber(number: ReadNumber): true
  /** Adds a quoted string that was read as a whole. */
  addQuoted(quoted: Quoted): true
}
