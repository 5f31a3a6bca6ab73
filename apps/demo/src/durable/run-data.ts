/** The id, input and output of a durable run. Input and output are plain data without secrets, valid on every machine. */
import { randomBytes } from 'node:crypto'
import type { DurableEngine, RunStatus } from '@x/durable'
import type { MadeCall } from '../agent/made-calls.ts'

export interface RunInput {
  readonly request: string
  /** The user who makes the request. */
  readonly user: string
  /** Default: all domains. */
  readonly domain?: string | undefined
  /** The model, for example `openai:gpt-5-mini`. Default: the rules. The worker reads the key from its environment. */
  readonly model?: string | undefined
}

/** A call made in a run. A call that the user rejected doesn't count as a failure. */
export interface RunCall extends MadeCall {
  readonly isRejected?: boolean | undefined
}

export interface RunOutput {
  readonly answer: string
  readonly calls: readonly RunCall[]
  /** The tool name of each call whose outcome is unknown. */
  readonly unknownCalls: readonly string[]
}

export type DemoEngine = DurableEngine<RunInput, RunOutput>
export type DemoStatus = RunStatus<RunInput, RunOutput>

/** Generates an id such as `pay-86-40-x3k9wq`: the first words of the request, so that the user recognizes it, and random characters. */
export function newRunId(request: string): string {
  const words = request.toLowerCase().match(/[a-z0-9]+/g) ?? []
  // The bank's idempotency keys depend on the run's id. A second run with the same id would therefore move no money.
  const letters = BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(8, '0')
    .slice(-8)
  return [...words.slice(0, 3).map((word) => word.slice(0, 12)), letters].join('-')
}

/** Returns a run's request, or an empty string if the run's records can't be read. */
export function requestOf({ input }: Pick<DemoStatus, 'input'>): string {
  return (input as Partial<RunInput> | undefined)?.request ?? ''
}

export function isOver({ state }: Pick<DemoStatus, 'state'>): boolean {
  return state === 'finished' || state === 'failed' || state === 'cancelled'
}

/** Returns true if the run is waiting or has ended. */
export function isStopped(status: Pick<DemoStatus, 'state'>): boolean {
  return status.state === 'waiting' || isOver(status)
}
