/** A durable run of the demo: its id, and its input and output, which are plain data without secrets, the same on every machine. */
import { randomBytes } from 'node:crypto'
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

/** Generates an id from the first words of the request, to recognize it, and random letters: `pay-86-40-x3k9wq`. */
export function newRunId(request: string): string {
  const words = request.toLowerCase().match(/[a-z0-9]+/g) ?? []
  // The bank identifies a booking by its run: two runs with the same id would book once.
  const letters = BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(8, '0')
    .slice(-8)
  return [...words.slice(0, 3).map((word) => word.slice(0, 12)), letters].join('-')
}

/** A run's request, or an empty string when its records can't be read. */
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
