/** Input and output of a durable run of the demo: plain data without secrets, the same on every machine. */
import type { DurableEngine, RunStatus } from '@x/durable'
import type { MadeCall } from '../agent/made-calls.ts'

export interface RunInput {
  readonly request: string
  /** User of the request. */
  readonly user: string
  /** Default: all domains. */
  readonly domain?: string | undefined
  /** For example `openai:gpt-5-mini`. Default: the planner. The key is in the environment of the worker. */
  readonly model?: string | undefined
}

/** A call with a flag for rejections, which aren't failures. */
export interface RunCall extends MadeCall {
  readonly isRejected?: boolean | undefined
}

export interface RunOutput {
  readonly answer: string
  readonly calls: readonly RunCall[]
  /** Tool names of calls with an unknown outcome. */
  readonly unknownCalls: readonly string[]
}

export type DemoEngine = DurableEngine<RunInput, RunOutput>
export type DemoStatus = RunStatus<RunInput, RunOutput>

/** The request of a run, or an empty text when its records can't be read. */
export function requestOf({ input }: Pick<DemoStatus, 'input'>): string {
  return (input as Partial<RunInput> | undefined)?.request ?? ''
}

export function isOver({ state }: Pick<DemoStatus, 'state'>): boolean {
  return state === 'finished' || state === 'failed' || state === 'cancelled'
}

/** True when the run waits or has ended. */
export function isStopped(status: Pick<DemoStatus, 'state'>): boolean {
  return status.state === 'waiting' || isOver(status)
}
