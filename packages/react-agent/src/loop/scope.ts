/** The state that a run shares with its requests, turns and calls. Types only. */
import type { Tool, ToolMap } from '@x/tool-core'
import type { DecidedCall, PendingCall } from '../approval/decision.ts'
import type { Ask } from '../approval/in-turn.ts'
import type { CallGuards } from '../calls/call-guards.ts'
import type { ToolRecord } from '../calls/gone-tool.ts'
import type { LargeResults } from '../calls/large-results.ts'
import type { RecordedMedia } from '../calls/recorded-media.ts'
import type { ContextWindow } from '../model/context-window.ts'
import type { ModelDeadline } from '../model/model-deadline.ts'
import type { Spending } from '../model/spending.ts'
import type { Records } from '../nested/open-records.ts'
import type { Emit } from '../run-event.ts'
import type { Steps } from '../steps/steps.ts'
import type { UnknownCall } from './outcome.ts'

/** The data that a request to the model needs. */
export interface ModelScope {
  readonly steps: Steps
  readonly signal?: AbortSignal | undefined
  readonly emit: Emit
  /** Usage and budget of the run. */
  readonly spending?: Spending | undefined
  readonly window?: ContextWindow | undefined
  readonly deadline?: ModelDeadline | undefined
}

/** A run of an agent. */
export interface RunScope extends ModelScope {
  /** Id of the run, part of every idempotency key. */
  readonly id: string
  /** Identifies this execution of the run. After a crash the run has the same `id` but another token. */
  readonly token: string
  /** Run-scoped values for the tools. */
  readonly values: object
  /** Decisions that were passed to `resume`, by call id. */
  readonly decisions?: ReadonlyMap<string, DecidedCall> | undefined
  /** Calls the run's `approve`. The time until it has decided doesn't count toward the deadlines of outer calls. */
  readonly approve?: Ask | undefined
  /** The enclosing call, if the run or the tool's call is made inside another call. */
  readonly outer?: OuterCall | undefined
}

/** A call that is being executed, as seen by the calls inside it. */
export interface OuterCall {
  /** Nesting level: 1 inside a call made by the outermost model. */
  readonly level: number
  /** The tools that are being executed, outermost first. */
  readonly running: readonly Tool[]
  readonly spending: Spending
  /** Returns true for a step that was recorded before this execution. Its events have already been emitted. */
  wasKnown(key: string): boolean
  /** Adds a record that only later executions of the call need, so the engine doesn't get it. */
  note(key: string): void
}

/** The state of one turn. */
export interface TurnScope {
  step: number
  /** The tools that can be called in this turn. */
  tools: ToolMap
  /** True in the last turn, where only calls that end the task are possible. */
  isLast: boolean
  /** True if the turn contains a call that couldn't be parsed at all. Such a call isn't among the turn's calls. */
  hasMalformed: boolean
  /** The pending calls of a resumed turn, as they were shown when it paused. */
  shown?: ReadonlyMap<string, PendingCall> | undefined
  /** When those calls expire, in ISO 8601. */
  expiresAt?: string | undefined
  /** The facts about tools that were recorded with the model's reply, if any. */
  recorded?: ToolRecord | undefined
}

export interface CallScope extends RunScope, TurnScope {
  readonly spending: Spending
  readonly maxParallelCalls: number
  readonly maxCallsPerTurn: number
  /** How long a call may wait for its decision, in milliseconds. */
  readonly expiresInMs?: number | undefined
  readonly guards: CallGuards
  readonly results: LargeResults
  readonly media: Pick<RecordedMedia, 'run'>
  /** Calls of the run that may or may not have taken effect. Each such call is added to the list. */
  readonly unknownCalls: UnknownCall[]
  /** True for calls that a program makes. Their outcomes contain an output or error details for the program instead of text for a model. */
  readonly isProgram?: boolean | undefined
  /** Name of the agent's search tool. */
  readonly searchTool?: string | undefined
  /** Returns the records made inside an unfinished call of the model. */
  recordsOf(callId: string): Records
  /** Returns true if such records exist, from a paused run or from this execution. */
  hasRecords(callId: string): boolean
}

/** The scope of a turn's calls, which run in parallel. */
export interface TurnCallScope extends CallScope {
  readonly media: RecordedMedia
}
