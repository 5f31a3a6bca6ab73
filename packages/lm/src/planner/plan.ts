/** The parts of a plan. */
import type { Offer } from './catalog.ts'
import type { Clause } from './clauses.ts'

/** A clause with the tool that serves it; without one when none does. */
export interface PlannedStep {
  readonly clause: Clause
  readonly offer?: Offer | undefined
}

/** A call to make now. */
export interface PlannedCall {
  readonly offer: Offer
  readonly args: ReadonlyMap<string, unknown>
  /** What the request says of it. */
  readonly reason: string
}
