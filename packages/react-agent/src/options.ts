/** What the loop of an agent is made of: the same for all of its runs. Types only. */
import type { Message, Signature } from '@x/adapters'
import type { Tool, ToolMap } from '@x/tool-core'
import type { PauseOptions } from './approval/pause.ts'
import type { PausedRun } from './approval/paused-run.ts'
import type { CallGuardOptions } from './calls/call-guards.ts'
import type { Ending } from './loop/ending.ts'
import type { RunState } from './loop/result.ts'
import type { ContextWindowOptions } from './model/context-window.ts'
import type { ModelOptions } from './model/model.ts'
import type { Budget, Prices } from './model/spending.ts'
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
