/** What a durable run of the demo is given, and what it gives: plain data without secrets, the same on every machine. */
import type { DurableEngine, RunStatus } from '@x/durable'
import type { MadeCall } from '../agent/made-calls.ts'

export interface RunInput {
  readonly request: string
  /** Who asks. */
  readonly user: string
  /** Missing for all of them. */
  readonly domain?: string | undefined
  /** `openai:gpt-5-mini`; missing for the planner. The key is in the environment of whoever executes the run. */
  readonly model?: string | undefined
}

/** A call to which somebody said no did not fail. */
export interface RunCall extends MadeCall {
  readonly isRejected?: boolean | undefined
}

export interface RunOutput {
  readonly answer: string
  readonly calls: readonly RunCall[]
  /** Calls that may have been carried out, and nobody knows: the tools' names. */
  readonly unknownCalls: readonly string[]
}

export type DemoEngine = DurableEngine<RunInput, RunOutput>
export type DemoStatus = RunStatus<RunInput, RunOutput>

/** What was asked, also where the records of a run cannot be read. */
export function requestOf({ input }: Pick<DemoStatus, 'input'>): string {
  return (input as Partial<RunInput> | undefined)?.request ?? ''
}

export function isOver({ state }: Pick<DemoStatus, 'state'>): boolean {
  return state === 'finished' || state === 'failed' || state === 'cancelled'
}

/** Nothing more happens by itself. */
export function isStopped(status: Pick<DemoStatus, 'state'>): boolean {
  return status.state === 'waiting' || isOver(status)
}
