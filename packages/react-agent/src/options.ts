/** What the loop of an agent is made of: the same for all of its runs. Types only. */
import type { Message, Signature } from '@x/adapters'
import type { Tool, ToolMap } from '@x/tool-core'
import type { Approve } from './approval/decision.ts'
import type { PauseOptions } from './approval/pause.ts'
import type { PausedRun } from './approval/paused-run.ts'
import type { CallGuardOptions } from './calls/call-guards.ts'
import type { Ending } from './loop/ending.ts'
import type { History } from './loop/history.ts'
import type { RunState } from './loop/result.ts'
import type { ContextWindowOptions } from './model/context-window.ts'
import type { ModelOptions } from './model/model.ts'
import type { Budget, Prices } from './model/spending.ts'
import type { Steps } from './steps/steps.ts'
import type { RevealedTools, SearchRun, ToolSearch } from './tools/search.ts'

export interface LoopOptions<S extends Signature = Signature> {
  readonly name: string
  readonly model: ModelOptions
  /** The task: its own inputs and outputs. */
  readonly task: S
  /** The task's inputs and the tools in; a thought and tool calls out. */
  readonly act: Signature
  readonly ending: Ending
  /** The agent's tools and those of the ending. */
  readonly tools: ToolMap
  /** The same, as the model is told of them. */
  readonly offered: readonly Tool[]
  /** The rest of a registry; its tool is among those that are offered. */
  readonly search?: ToolSearch | undefined
  readonly modelTimeoutMs: number
  readonly maxSteps: number
  readonly maxRepairs: number
  readonly maxParallelCalls: number
  readonly maxCallsPerTurn: number
  readonly maxResultLength: number
  readonly guards: CallGuardOptions
  readonly window: ContextWindowOptions
  readonly budget: Budget
  readonly prices?: Prices | undefined
  readonly stopWhen?: ((state: RunState) => boolean | Promise<boolean>) | undefined
  readonly pauses: PauseOptions
}

/** How a run begins. */
export interface Beginning {
  readonly inputs: object
  /** What was said before it. */
  readonly earlier: readonly Message[]
  readonly search: SearchRun | undefined
  /** What searches of earlier runs revealed. */
  readonly revealed: readonly RevealedTools[]
  readonly paused: PausedRun | undefined
}

export interface RunOptions {
  signal?: AbortSignal | undefined
  /** Of the whole run, in milliseconds; it then rejects with `timed_out`. */
  timeoutMs?: number | undefined
  /**
   * Names the run; random unless told. The idempotency key of a call is this name and the id that the model gave the call. With a journal
   * as `steps` both are the same after a crash. Without one the model is asked anew and gives other ids, so a run that is started a second
   * time under its name repeats calls under other keys.
   */
  id?: string | undefined
  /** Run-scoped values that tools declare; the model never sees them. */
  context?: object | undefined
  steps?: Steps | undefined
  /** Goes on after earlier runs, of this agent or another: the model reads what was said in them before the task. */
  history?: History | undefined
  /** In the place of the agent's. */
  budget?: Budget | undefined
  /** Asked about calls that need a yes, while the run waits. Without it such a run pauses: see `approval_required`. */
  approve?: Approve | undefined
}

/** The inputs and the id are those of the run that paused, and so is what was said before it. */
export type ResumeOptions = Omit<RunOptions, 'id' | 'history'>
