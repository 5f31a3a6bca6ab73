/** What a run hands down to everything that happens in it. Types only. */
import type { ToolMap } from '@x/tool-core'
import type { Approve, DecidedCall, PendingCall } from '../approval/decision.ts'
import type { CallGuards } from '../calls/call-guards.ts'
import type { LargeResults } from '../calls/large-results.ts'
import type { Emit } from '../events.ts'
import type { ContextWindow } from '../model/context-window.ts'
import type { ModelDeadline } from '../model/model-deadline.ts'
import type { Spending } from '../model/spending.ts'
import type { Steps } from '../steps/steps.ts'
import type { UnknownCall } from './outcome.ts'

export interface RunScope {
  /** Of the run; part of every idempotency key. */
  readonly id: string
  /** Of this start of the run, and of no other: after a crash the run has the same `id` and another token. */
  readonly token: string
  /** Run-scoped values for the tools. */
  readonly values: object
  readonly steps: Steps
  readonly signal?: AbortSignal | undefined
  readonly emit: Emit
  /** What was decided about calls when the run was resumed, by call. */
  readonly decisions?: ReadonlyMap<string, DecidedCall> | undefined
  readonly approve?: Approve | undefined
  /** How long a call may wait to be decided. */
  readonly expiresInMs?: number | undefined
  /** The calls of a turn that waited before, as they were shown then. */
  readonly shown?: ReadonlyMap<string, PendingCall> | undefined
  /** Until when they can be decided. */
  readonly expiresAt?: string | undefined
  /** What the run may cost; a module without a budget has none. */
  readonly spending?: Spending | undefined
  readonly window?: ContextWindow | undefined
  readonly deadline?: ModelDeadline | undefined
}

export interface CallScope extends RunScope {
  /** The tools that the turn may call. */
  readonly tools: ToolMap
  readonly step: number
  /** Only calls that end the task are left. */
  readonly isLast: boolean
  /** The turn holds text that was meant as a call and couldn't be read as one. */
  readonly hasMalformed: boolean
  readonly maxParallelCalls: number
  readonly maxCallsPerTurn: number
  readonly guards: CallGuards
  readonly results: LargeResults
  /** Those of the run so far; added to by the call. */
  readonly unknownCalls: UnknownCall[]
}
