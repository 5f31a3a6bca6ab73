/** The parts of a plan. */

import type { Clause } from './clauses/clauses.ts'
import type { Hindrance } from './clauses/intents.ts'
import type { Offer } from './tools/catalog.ts'

/** A clause with the tool that serves it, if any. */
export interface PlannedStep {
  readonly clause: Clause
  readonly offer?: Offer | undefined
  /** Set for a clause that doesn't request a change. */
  readonly hindrance?: Hindrance | undefined
  /** The clause of the step before. */
  readonly before?: Clause | undefined
  /** Set for one of several steps that share a clause. */
  readonly isPart?: boolean | undefined
}

/** A call to make now. */
export interface PlannedCall {
  readonly offer: Offer
  readonly args: ReadonlyMap<string, unknown>
  /** The part of the request that asks for this call. */
  readonly reason: string
}
