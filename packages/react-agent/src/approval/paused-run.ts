/** A run that waits, as plain data: it can be kept anywhere, and be resumed by another process. Types only. */
import type { Forgotten, LMResponse, Message, Usage } from '@x/adapters'
import type { CallOutcome, UnknownCall } from '../loop/outcome.ts'
import type { Budget } from '../model/spending.ts'
import type { DecidedCall, PendingCall } from './decision.ts'

export interface PausedRun {
  /** 1 of what was paused before the arguments of a call were prepared once: they are prepared again. */
  readonly version: 1 | 2
  readonly agent: string
  /** The same in the run that goes on, so its calls have the same idempotency keys. */
  readonly runId: string
  readonly inputs: object
  /** How many of the messages were said before the run. */
  readonly earlier: number
  /** All that was said, up to the turn that waits. */
  readonly messages: readonly Message[]
  /** What of them is not sent any more. */
  readonly forgotten: readonly Forgotten[]
  readonly step: number
  /** The turn that waits. */
  readonly response: LMResponse
  /** Its calls that are over. */
  readonly finished: readonly CallOutcome[]
  /** Its calls that wait for somebody. */
  readonly pending: readonly PendingCall[]
  /** Its calls that somebody decided: those that are over, and those that come behind one that waits. */
  readonly decided: readonly DecidedCall[]
  readonly usage: Usage
  readonly repairs: number
  /** What the run may use, all in all. */
  readonly budget: Budget
  /** So far: nobody knows whether they were carried out. */
  readonly unknownCalls: readonly UnknownCall[]
  /** Long results, by their calls. */
  readonly results: Readonly<Record<string, string>>
  /** The calls that count where one leads nowhere; not those that somebody rejected, or that were not run. */
  readonly counted: readonly string[]
  /** ISO 8601; behind it nothing can be decided any more. */
  readonly expiresAt?: string | undefined
  /** HMAC-SHA-256 of all the rest, where the agent has a key. */
  readonly signature?: string | undefined
}
