/** The scanner's interface for the readers of unusual tokens. */

import type { Surroundings } from '../surroundings/surroundings.ts'
import type { ReadNumber } from '../tokens/numbers.ts'
import type { Quoted } from '../tokens/quoted.ts'
import type { Builder } from './builder.ts'
import type { Cursor } from './cursor.ts'
import type { FrameKind } from './frame.ts'

/** The token that comes next. `item` and `key` follow a comma, `first` precedes it. After a `member`, a comma or bracket is expected. */
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
  /** True after a number. If a quote is adjacent, the number may be truncated. */
  readonly isAfterNumber: boolean
  /** Consumes the bracket and opens the list or object. */
  open(kind: Exclude<FrameKind, 'root'>, expected: Expected): true
  /** Called after a value was added. */
  valueRead(isNumber?: boolean): true
  addNumber(number: ReadNumber): true
  /** Adds a quoted string that was read as a whole. */
  addQuoted(quoted: Quoted): true
}
