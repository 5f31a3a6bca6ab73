/** What a call came to. Types only. */
import type { Observation, Usage } from '@x/adapters'

/** What became of a call, as plain data. */
export interface CallOutcome {
  readonly observation: Observation
  /** What a tool of the ending gave; the model's own tools are heard through the observation alone. */
  readonly output?: unknown
  /** All of a result of which the model reads only the beginning. */
  readonly whole?: string | undefined
  /** Somebody said no: that is no failure of its tool. */
  readonly isRejected?: boolean | undefined
  /** What the tool's own requests to models used, as it told by its progress. */
  readonly usage?: Usage | undefined
  /** Set when nobody knows whether the call was carried out. */
  readonly unknown?: UnknownCall | undefined
}

/** By the id of the call. */
export type Outcomes = ReadonlyMap<string, CallOutcome>

/**
 * A call that may have been carried out: it was begun by an earlier process that came to its end, it ran into its deadline, the run was
 * given up on, or what it gave could not be recorded. It was not repeated.
 */
export interface UnknownCall {
  readonly code: 'unknown_outcome'
  readonly callId: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** What the tool was given: a service may know the call by it. */
  readonly idempotencyKey: string
}
