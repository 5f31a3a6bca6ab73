/** Outcomes of calls. Types only. */
import type { Observation, Usage } from '@x/adapters'

/** The outcome of a call, as plain data. */
export interface CallOutcome {
  readonly observation: Observation
  /** The output of a tool that ends the task. Undefined for other tools. */
  readonly output?: unknown
  /** The complete text of a result whose observation is only the first page. */
  readonly whole?: string | undefined
  /** The call was rejected, which doesn't count as a failure of its tool. */
  readonly isRejected?: boolean | undefined
  /** Usage of the tool's own requests to models, as reported by its progress. */
  readonly usage?: Usage | undefined
  /** Set when it is unknown whether the call took effect. */
  readonly unknown?: UnknownCall | undefined
}

/** Outcomes by call id. */
export type Outcomes = ReadonlyMap<string, CallOutcome>

/**
 * A call that may or may not have taken effect, and was not repeated. Reasons: the process stopped during the call, the call timed out, the
 * run was aborted, or the result could not be recorded.
 */
export interface UnknownCall {
  readonly code: 'unknown_outcome'
  readonly callId: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** The key that was passed to the tool. A service may have recorded the call under it. */
  readonly idempotencyKey: string
}
