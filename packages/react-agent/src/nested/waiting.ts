/** A call that is waiting for decisions about its inner calls and questions. Types only. */
import type { Usage } from '@x/adapters'
import type { DecidedCall, PendingCall } from '../approval/decision.ts'
import type { CallOutcome } from '../loop/outcome.ts'

/** A call that is waiting for decisions inside it. Plain data, except for `cause`. */
export interface WaitingCall {
  /** The missing decisions, with the ids and keys of the run that makes the outer call. */
  readonly waiting: readonly PendingCall[]
  /** The decisions about inner calls that haven't finished. */
  readonly decided: readonly DecidedCall[]
  /** When the first of the waiting calls expires, in ISO 8601. */
  readonly expiresAt?: string | undefined
  /** Usage so far. It is counted again when the call is resumed. */
  readonly usage?: Usage | undefined
  /** Never set: only an outcome has an observation. */
  readonly observation?: undefined
  /** Why `approve` could not decide one of the waiting calls. */
  readonly cause?: unknown
}

/** The end of one execution of a call with inner calls: the call is waiting, or has an outcome. */
export type Ended = WaitingCall | CallOutcome

export function isWaiting(ended: object): ended is WaitingCall {
  return 'waiting' in ended
}
