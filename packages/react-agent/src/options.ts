/** Options for modules, agents, runs and the loop. Types only. */
import type { Adapter, LM, Settings, Signature } from '@x/adapters'
import type { SearchableRegistry } from '@x/registry'
import type { Tool, ToolMap, ToolResolver } from '@x/tool-core'
import type { Approve } from './approval/decision.ts'
import type { PauseOptions } from './approval/pause.ts'
import type { Ending } from './loop/ending.ts'
import type { History } from './loop/history.ts'
import type { RunState } from './loop/result.ts'
import type { ContextWindowOptions } from './model/context-window.ts'
import type { ModelOptions } from './model/model.ts'
import type { Budget, Prices } from './model/spending.ts'
import type { Steps } from './steps/steps.ts'
import type { AgentEntry } from './tools/open-tools.ts'
import type { SearchOptions, ToolSearch } from './tools/search.ts'

export interface ModuleOptions {
  /** The model, for example from `createLM`. */
  lm: LM
  /**
   * Adapter between signatures and requests. Default: `defaultAdapter()`. `textAdapter(dialect)` is for a model without function calling.
   */
  adapter?: Adapter | undefined
  /** Settings for every request, such as the temperature. */
  settings?: Settings | undefined
  /** Makes the model follow the tools' schemas strictly, if the provider supports it. */
  strictTools?: boolean | undefined
  /** Merged into the body of every request, in the format of the provider's API. */
  providerOptions?: Readonly<Record<string, unknown>> | undefined
  /** Timeout for one model request, including its whole reply, in milliseconds. `Infinity` disables it. Default: 600,000. */
  modelTimeoutMs?: number | undefined
  /** Maximum output-repair attempts. Default: 2. */
  maxRepairs?: number | undefined
}

/** The types that an agent's `tools` option accepts. */
export type AgentTools = ToolResolver | readonly AgentEntry[]

/** The types that an agent's `search` option accepts. */
export type AgentSearch = SearchableRegistry | SearchOptions

export interface ReactAgentOptions<S extends Signature, Tools = AgentTools, Search = AgentSearch>
  extends ModuleOptions,
    AgentLimits {
  /** The task: its inputs, outputs and instructions. */
  signature: S
  /** A registry, or a list of tools, toolsets, lazy tools and references to a registry's tools. */
  tools: Tools
  /**
   * A registry that the model can search for more tools, or `SearchOptions`. A found tool is imported. By default, the model calls it
   * with `call_tool`.
   */
  search?: Search | undefined
  /** Name of the agent, for errors and paused runs. Default: "agent". */
  name?: string | undefined
  /** Stop condition, checked after each step that doesn't end the task. When it returns true, the model is asked for its final answer. */
  stopWhen?: ((state: RunState) => boolean | Promise<boolean>) | undefined
  /** Usage limits of a run. A run that reaches one rejects with `budget_exceeded` before its next request. */
  budget?: Budget | undefined
  /** Prices of the model, for `budget.cost` and the `cost` of results. */
  prices?: Prices | undefined
  /** How to shorten a conversation that is too long for the model. Default: the oldest turns are left out. */
  contextWindow?: ContextWindowOptions | undefined
  /** Options for paused runs: the key that signs them, and the time limit for decisions. */
  pauses?: PauseOptions | undefined
  /** Streams the responses of the model, for `delta` and `argument` events. Default: false. */
  stream?: boolean | undefined
}

/** Limits for a run. `maxRepairs` is in `ModuleOptions`. */
export interface AgentLimits {
  /** Maximum number of turns before the model is asked for its final answer. Default: 10. */
  maxSteps?: number | undefined
  /** Maximum number of a turn's calls that run in parallel. Default: 8. */
  maxParallelCalls?: number | undefined
  /** Maximum number of calls in one turn. Further calls are refused. Default: 100. */
  maxCallsPerTurn?: number | undefined
  /** Maximum number of identical results for an identical call before it is refused. Default: 5. */
  maxRepeats?: number | undefined
  /** Maximum number of consecutive failures of a tool before its calls are refused. Default: 5. */
  maxToolFailures?: number | undefined
  /** Maximum length of a tool result in one message, in characters. The model reads the rest with `read_result`. Default: 32,000. */
  maxResultLength?: number | undefined
  /**
   * Maximum number of tools that a conversation may reveal by search. A search that finds more returns only the names of the rest. If the
   * `history` revealed more, the first ones are offered. Default: 64.
   */
  maxRevealed?: number | undefined
}

/** The limits with their defaults filled in. */
export type Limits = { readonly [Name in keyof AgentLimits | 'maxRepairs']-?: number }

export interface LoopOptions<S extends Signature = Signature> {
  readonly name: string
  readonly model: ModelOptions
  /** The signature of the task. */
  readonly task: S
  /** The signature of a turn: the task's inputs and the tools as inputs, a thought and tool calls as outputs. */
  readonly act: Signature
  readonly ending: Ending
  /** All tools that can be called: the agent's, those of tool search, those that end the task, and those that the provider searches. */
  readonly tools: ToolMap
  /** `tools` without those that the provider searches. */
  readonly offered: readonly Tool[]
  /** Tool search. Its tools are among the offered ones. */
  readonly search?: ToolSearch | undefined
  readonly modelTimeoutMs: number
  readonly limits: Limits
  readonly window: ContextWindowOptions
  readonly budget: Budget
  readonly prices?: Prices | undefined
  readonly stopWhen?: ReactAgentOptions<S>['stopWhen']
  readonly pauses: PauseOptions
}

export interface RunOptions {
  /** Aborts the run, which then rejects with `aborted`. */
  signal?: AbortSignal | undefined
  /** Timeout for the whole run, in milliseconds. When it passes, the run rejects with `timed_out`. Default: none. */
  timeoutMs?: number | undefined
  /**
   * Id of the run. Default: a random UUID. The idempotency key of a call consists of this id and the id of the call. With a journal as
   * `steps`, both are the same after a crash. Without a journal, a second start asks the model again and its calls get other ids, so calls
   * are repeated with other keys.
   */
  id?: string | undefined
  /** Run-scoped values that tools declare. The agent never sends them to the model. */
  context?: object | undefined
  /** Journal of the run, from a durable engine such as `@x/durable`. Default: none. */
  steps?: Steps | undefined
  /** Earlier runs, of this agent or another. The model sees their messages before the task. */
  history?: History | undefined
  /** Budget of this run. Default: the agent's. */
  budget?: Budget | undefined
  /** Called for each call that requires approval, while the run waits. Without it, the run pauses and rejects with `approval_required`. */
  approve?: Approve | undefined
}

/** Options for `resume`. The inputs, the id and the history are those of the paused run. */
export type ResumeOptions = Omit<RunOptions, 'id' | 'history'>
