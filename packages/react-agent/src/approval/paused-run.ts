/** A paused run as plain data: store it anywhere and resume it in any process. Types only. */
import type { Forgotten, LMResponse, Message, Usage } from '@x/adapters'
import type { CallOutcome, UnknownCall } from '../loop/outcome.ts'
import type { Budget } from '../model/spending.ts'
import type { KeptRecords } from '../nested/open-records.ts'
import type { DecidedCall, PendingCall } from './decision.ts'

export interface PausedRun {
  /** Format version. Runs of other versions are refused. */
  readonly version: 4
  readonly agent: string
  /** Id of the run. The resumed run has the same id, so its calls have the same idempotency keys. */
  readonly runId: string
  readonly inputs: object
  /** Number of messages that precede the run. */
  readonly earlier: number
  /** Messages before the turn that is waiting for decisions. */
  readonly messages: readonly Message[]
  /** Ranges of messages that are no longer sent to the model. */
  readonly forgotten: readonly Forgotten[]
  readonly step: number
  /** The model's response in the turn that is waiting for decisions. */
  readonly response: LMResponse
  /** Outcomes of the turn's calls that have finished. */
  readonly finished: readonly CallOutcome[]
  /** Calls of the turn that require a decision. */
  readonly pending: readonly PendingCall[]
  /** Calls of the turn that already have a decision, whether or not they have run. */
  readonly decided: readonly DecidedCall[]
  /** For each unfinished call, by id: the records made inside it, as JSON texts by key. */
  readonly nested: KeptRecords
  /** Usage so far. Excludes calls that are waiting for decisions about their inner calls. */
  readonly usage: Usage
  readonly repairs: number
  /** The budget of the whole run. */
  readonly budget: Budget
  /** Calls so far that may or may not have taken effect. */
  readonly unknownCalls: readonly UnknownCall[]
  /** Long results, by call id. */
  readonly results: Readonly<Record<string, string>>
  /** Ids of the calls that count toward `maxRepeats` and `maxToolFailures`. Rejected and refused calls don't count. */
  readonly counted: readonly string[]
  /** When the decisions expire, in ISO 8601. */
  readonly expiresAt?: string | undefined
  /** HMAC-SHA-256 of all other parts, if the agent has a key. */
  readonly signature?: string | undefined
}
