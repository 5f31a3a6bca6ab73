/** The part of the scanner that readers of unusual tokens use. */

import type { Surroundings } from '../surroundings/surroundings.ts'
import type { ReadNumber } from '../tokens/numbers.ts'
import type { Quoted } from '../tokens/quoted.ts'
import type { Builder } from './builder.ts'
import type { Cursor } from './cursor.ts'
import type { FrameKind } from './frame.ts'

/**
 * The token that the scanner expects. `first item` and `first key` come after an opening bracket, `item` and `key` after a comma.
 * `member` comes after a value: a comma or a closing bracket.
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
  /** Consumes the opening bracket and starts a list or object. */
  open(kind: Exclude<FrameKind, 'root'>, expected: Expected): true
  /** Records that a value was added. A comma or closing bracket must come next. */
  valueRead(isNumber?: boolean): true
  addNumber(number: ReadNumber): true
  /** Adds a complete quoted string. */
  addQuoted(quoted: Quoted): true
}
