/** What a journal says of its run as a whole: how it began, what it waits for, how it ended. */
import type { RunState, RunStatus, WaitsFor } from '../engine/engine.ts'
import type { RunFailure } from '../errors.ts'
import { type RecordLine, recordedValue } from './journal/record.ts'

/** Keys of the records of kind `run`. The last of a key counts. */
export const START = 'start'
export const WAITS = 'waits'
export const END = 'end'

export interface RunStart {
  /** Missing for undefined. */
  readonly input?: unknown
  /** Of the run: what its file is called does not always tell. */
  readonly id?: string
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
  /** Lines of decisions, by name. */
  readonly decided: ReadonlyMap<string, string>
}

/** Nothing once one of what it waited for was decided. `waits` is what was noted under `WAITS`. */
export function stillWaitsFor(waits: unknown, isDecided: (name: string) => boolean): readonly WaitsFor[] {
  const names = (waits ?? []) as readonly WaitsFor[]
  return names.some(({ name }) => isDecided(name)) ? [] : names
}

/** Undefined when the run was not begun: its process was killed when it was about to. */
export function toRunRecords(lines: readonly RecordLine[]): RunRecords | undefined {
  const noted = new Map<string, unknown>()
  const decided = new Map<string, string>()
  for (const { kind, key, text } of lines) {
    if (kind === 'run') noted.set(key, recordedValue(text))
    if (kind === 'decision') decided.set(key, text)
  }
  const start = noted.get(START) as RunStart | undefined
  if (start === undefined) return undefined
  const waitsFor = stillWaitsFor(noted.get(WAITS), (name) => decided.has(name))
  return { start, end: noted.get(END) as RunEnd | undefined, waitsFor, decided }
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
