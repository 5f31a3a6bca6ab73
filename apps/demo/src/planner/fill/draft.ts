/** The arguments filled so far, and the words of the clause that they use. */

import type { Clause } from '../clauses/clauses.ts'
import type { Offer } from '../tools/catalog.ts'
import type { Parameter } from '../tools/parameters.ts'

export interface Draft {
  readonly offer: Offer
  readonly clause: Clause
  readonly args: Map<string, unknown>
  /**
   * Parameters whose value is certain: a choice, a code, an id, an example, or a value beside the parameter's name. All other values were
   * assigned by their position only.
   */
  readonly sure: Set<string>
  /** The token positions that the arguments use. */
  readonly used: Set<number>
}

/** Returns the parameters that have no argument yet. */
export function unfilled({ args }: Draft, parameters: readonly Parameter[]): Parameter[] {
  return parameters.filter(({ name }) => !args.has(name))
}

/** Marks a range of tokens as used. */
export function take({ used }: Draft, from: number, to: number): void {
  for (let index = from; index < to; index++) used.add(index)
}
