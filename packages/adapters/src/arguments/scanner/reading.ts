/** The interface through which readers of unusual tokens use the scanner. */

import type { Surroundings } from '../surroundings/surroundings.ts'
import type { ReadNumber } from '../tokens/numbers.ts'
import type { Quoted } from '../tokens/quoted.ts'
import type { Builder } from './builder.ts'
import type { Cursor } from './cursor.ts'
import type { FrameKind } from './frame.ts'

/**
 * The kind of token that the scanner expects next. `first item` and `first key` follow an opening bracket; `item` and `key` follow a
 * comma. `member` means that a value has ended, and a comma or closing bracket must follow.
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
  /** True directly after a number. If a quote follows without a gap, the number may be incomplete. */
  readonly isAfterNumber: boolean
  /** Consumes the bracket and opens the list or object. */
  open(kind: Exclude<FrameKind, 'root'>, expected: Expected): true
  /** Records that a value was added, and expects a comma or closing bracket next. */
  valueRead(isNumber?: boolean): true
  addNumber(number: ReadNumber): true
  /** Adds a complete quoted string. */
  addQuoted(quoted: Quoted): true
}
