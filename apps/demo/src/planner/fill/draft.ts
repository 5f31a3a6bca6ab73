/** The arguments of a call while they are filled, and the words of the clause that are already used. */

import type { Clause } from '../clauses/clauses.ts'
import type { Offer } from '../tools/catalog.ts'
import type { Parameter } from '../tools/parameters.ts'

export interface Draft {
  readonly offer: Offer
  readonly clause: Clause
  readonly args: Map<string, unknown>
  /**
   * Parameters whose value is certain, because it isn't only known by its position: a choice, a code, an id, an example, a value next to
   * its name.
   */
  readonly sure: Set<string>
  /** Token positions. */
  readonly used: Set<number>
}

/** The parameters without an argument. */
export function unfilled({ args }: Draft, parameters: readonly Parameter[]): Parameter[] {
  return parameters.filter(({ name }) => !args.has(name))
}

/** Marks a range of tokens as used. */
export function take({ used }: Draft, from: number, to: number): void {
  for (let index = from; index < to; index++) used.add(index)
}
