/** Options: what an agent is made from, what its runs take, and what the loop works with. Types only. */
import type { Message, Signature } from '@x/adapters'
import type { Registry } from '@x/registry'
import type { Tool, ToolMap, ToolResolver } from '@x/tool-core'
import type { Approve } from './approval/decision.ts'
import type { PauseOptions } from './approval/pause.ts'
import type { PausedRun } from './approval/paused-run.ts'
import type { Ending } from './loop/ending.ts'
import type { History } from './loop/history.ts'
import type { RunState } from './loop/result.ts'
import type { ContextWindowOptions } from './model/context-window.ts'
import type { ModelOptions } from './model/model.ts'
import type { Budget, Prices } from './model/spending.ts'
import type { ModuleOptions } from './predict/module-options.ts'
import type { Steps } from './steps/steps.ts'
import type { AgentEntry } from './tools/open-tools.ts'
import type { RevealedTools, SearchRun, ToolSearch } from './tools/search.ts'

export interface ReactAgentOptions<S extends Signature> extends ModuleOptions, AgentLimits {
  /** The task. */
  signature: S
  /** A registry, or a list of tools, toolsets, lazy tools and references to a registry's tools. */
  tools: ToolResolver | readonly AgentEntry[]
  /** A registry whose other tools the model may find by search. A tool that it finds is imported then, and offered from the next request on. */
  search?: Registry | undefined
  /** Shown in errors. Default: "agent". */
  name?: string | undefined
  /** Stop condition, checked after each step with calls. When it returns true, the model is asked for its final answer. */
  stopWhen?: ((state: RunState) => boolean | Promise<boolean>) | undefined
  /** Limits of the usage of a run. A run that is over one of them rejects with `budget_exceeded` before its next request. */
  budget?: Budget | undefined
  /** For `budget.cost`, and `cost` of results. */
  prices?: Prices | undefined
  /** What happens when the conversation grows too long. Default: the oldest turns are left out. */
  contextWindow?: ContextWindowOptions | undefined
  /** For runs that wait for approvals: a key that signs them, and how long they may wait. */
  pauses?: PauseOptions | undefined
  /** Streams the responses: events then hold deltas. Default: false. */
  stream?: boolean | undefined
}

/** Limits of a run. `maxRepairs` is one of `ModuleOptions`. */
export interface AgentLimits {
  /** Maximum number of turns in which the model may call tools. One more turn is used to make it answer. Default: 10. */
  maxSteps?: number | undefined
  /** Maximum number of calls of one turn that run side by side. Default: 8. */
  maxParallelCalls?: number | undefined
  /** Maximum number of calls that are run in one turn; the others are reported to the model. Default: 100. */
  maxCallsPerTurn?: number | undefined
  /** Maximum number of identical results for an identical call before it is refused. Default: 5. */
  maxRepeats?: number | undefined
  /** Maximum number of failures in a row of one tool before its calls are refused. Default: 5. */
  maxToolFailures?: number | undefined
  /** Characters of a result that the model reads at once. It reads the rest by `read_result`. Default: 32,000. */
  maxResultLength?: number | undefined
  /**
   * Maximum number of tools that a conversation may reveal by search. A search that finds more reports their names to the model. Of the tools
   * that earlier runs revealed, the first ones are offered again. Default: 64.
   */
  maxRevealed?: number | undefined
}

/** The limits with their defaults filled in. */
export type Limits = { readonly [Name in keyof AgentLimits | 'maxRepairs']-?: number }

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
  /** The same, as they are offered to the model. */
  readonly offered: readonly Tool[]
  /** The rest of a registry; its tool is among those that are offered. */
  readonly search?: ToolSearch | undefined
  readonly modelTimeoutMs: number
  readonly limits: Limits
  readonly window: ContextWindowOptions
  readonly budget: Budget
  readonly prices?: Prices | undefined
  readonly stopWhen?: ReactAgentOptions<S>['stopWhen']
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
   * Names the run. Default: a random UUID. The idempotency key of a call is this name and the id that the model gave the call. With a journal
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
  /** Called for each call that requires approval, while the run waits. Without it such a run pauses: see `approval_required`. */
  approve?: Approve | undefined
}

/** The inputs and the id are those of the run that paused, and so is what was said before it. */
export type ResumeOptions = Omit<RunOptions, 'id' | 'history'>
