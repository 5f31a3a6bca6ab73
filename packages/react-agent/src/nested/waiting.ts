/** A call that waits for decisions about calls and questions inside it. Types only. */
import type { Usage } from '@x/adapters'
import type { DecidedCall, PendingCall } from '../approval/decision.ts'
import type { CallOutcome } from '../loop/outcome.ts'

/** Plain data, except for `cause`. */
export interface WaitingCall {
  /** The missing decisions, with ids and keys of the run that makes the call. */
  readonly waiting: readonly PendingCall[]
  /** The decisions about calls that aren't finished. */
  readonly decided: readonly DecidedCall[]
  /** When the first of them expires, in ISO 8601. */
  readonly expiresAt?: string | undefined
  /** Usage so far. It is counted again when the call is resumed. */
  readonly usage?: Usage | undefined
  /** Absent, because this isn't an outcome. */
  readonly observation?: undefined
  /** Why `approve` could not decide one of them. */
  readonly cause?: unknown
}

/** How one execution of a call with calls inside ends. */
export type Ended = WaitingCall | CallOutcome

export function isWaiting(ended: object): ended is WaitingCall {
  return 'waiting' in ended
}
