/** What a journal says of its run as a whole: how it began, what it waits for, how it ended. */
import type { RunState, RunStatus, WaitsFor } from '../engine.ts'
import type { RunFailure } from '../errors.ts'
import { type RecordLine, recordedValue } from '../journal/record.ts'

/** Keys of the records of kind `run`. The last of a key counts. */
export const START = 'start'
export const WAITS = 'waits'
export const END = 'end'

export interface RunStart {
  /** Missing for undefined. */
  readonly input?: unknown
  /** ISO 8601. */
  readonly at: string
}

export interface RunEnd {
  readonly state: Extract<RunState, 'finished' | 'failed' | 'cancelled'>
  readonly output?: unknown
  readonly failure?: RunFailure
}

export interface RunRecords {
  readonly start: RunStart
  readonly end: RunEnd | undefined
  /** What is still to be decided, if any of what it waited for was not: nothing once one of them was, since it goes on then. */
  readonly waitsFor: readonly WaitsFor[]
}

/** Undefined when the run was not begun: its process was killed when it was about to. */
export function toRunRecords(lines: readonly RecordLine[]): RunRecords | undefined {
  const noted = new Map<string, unknown>()
  const decided = new Set<string>()
  for (const { kind, key, text } of lines) {
    if (kind === 'run') noted.set(key, recordedValue(text))
    if (kind === 'decision') decided.add(key)
  }
  const start = noted.get(START) as RunStart | undefined
  if (start === undefined) return undefined
  const waits = (noted.get(WAITS) ?? []) as readonly WaitsFor[]
  const waitsFor = waits.some(({ name }) => decided.has(name)) ? [] : waits
  return { start, end: noted.get(END) as RunEnd | undefined, waitsFor }
}

/** `isHeld`: a process has its journal. */
export function toStatus<Input, Output>(id: string, records: RunRecords, isHeld: boolean): RunStatus<Input, Output> {
  const { start, end, waitsFor } = records
  const common = { id, input: start.input as Input, startedAt: start.at }
  if (end !== undefined) {
    const { state, output, failure } = end
    return { ...common, state, waitsFor: [], output: output as Output | undefined, failure }
  }
  if (isHeld) return { ...common, state: 'running', waitsFor: [] }
  return { ...common, state: waitsFor.length > 0 ? 'waiting' : 'queued', waitsFor }
}
