/** The records about a run itself: its start, its pending decisions, and its end. */
import type { RunState, RunStatus, WaitsFor } from '../engine/engine.ts'
import { DurableError, type RunFailure } from '../errors.ts'
import { toFile } from './file-name.ts'
import { type RecordLine, recordedValue } from './journal/record.ts'

/** Keys of the records of kind `run`. For each key, the last record counts. */
export const START = 'start'
export const WAITS = 'waits'
/** Keys of the steps that had been requested and had no record when the run last waited, for example because they had failed. */
export const TRIED = 'tried'
export const END = 'end'
export const CRASHES = 'crashes'
export const MISFIT = 'misfit'
const KEYS = [START, WAITS, TRIED, END, CRASHES, MISFIT]

/** How often the run's worker has died in a row without a new record in between. */
export interface RunCrashes {
  readonly count: number
  /** Number of steps and decisions in the journal at the last crash. */
  readonly records: number
  /** Time at which the last crash was discovered, in ISO 8601. */
  readonly at: string
}

export interface RunStart {
  /** Input of the run. Absent if it is undefined. */
  readonly input?: unknown
  /** Id of the run. Absent in records of earlier releases. */
  readonly id?: string
  /** Start time, in ISO 8601. */
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
  /** The reason why the run is held. Undefined if it isn't. */
  readonly misfit: RunFailure | undefined
  /** Pending decisions. Empty once one of them has been made, because the run then continues. */
  readonly waitsFor: readonly WaitsFor[]
  /** Journal lines of the decisions that were made, by name. */
  readonly decided: ReadonlyMap<string, string>
}

/**
 * Returns the pending decisions, or an empty list once one of them has been made. `waits` is the value recorded under `WAITS`.
 */
export function stillWaitsFor(waits: unknown, isDecided: (name: string) => boolean): readonly WaitsFor[] {
  const names = (waits ?? []) as readonly WaitsFor[]
  return names.some(({ name }) => isDecided(name)) ? [] : names
}

/**
 * Parses the records of a run. Returns undefined if the journal has no start, because its process was killed before recording it.
 * Throws `broken`.
 */
export function toRunRecords(lines: readonly RecordLine[], file: string): RunRecords | undefined {
  const noted = new Map<string, unknown>()
  const decided = new Map<string, string>()
  for (const { kind, key, text } of lines) {
    if (kind === 'run') noted.set(key, recordedValue(text))
    if (kind === 'decision') decided.set(key, text)
  }
  assertRunRecords((key) => noted.get(key), lines.length === 0, file)
  const start = noted.get(START) as RunStart | undefined
  if (start === undefined) return undefined
  const waitsFor = stillWaitsFor(noted.get(WAITS), (name) => decided.has(name))
  const end = noted.get(END) as RunEnd | undefined
  return { start, end, misfit: noted.get(MISFIT) as RunFailure | undefined, waitsFor, decided }
}

/**
 * Throws `broken` for run records that no engine writes. Their checksums are correct, so another program must have written them. A journal that
 * isn't empty has a start: without one, it belongs to no run of an engine and would be deleted.
 */
export function assertRunRecords(noted: (key: string) => unknown, isEmpty: boolean, file: string): void {
  const isValid = KEYS.every((key) => isRecordOf(key, noted(key))) && (isEmpty || noted(START) !== undefined)
  // A copied or renamed file would execute a run a second time under another id.
  const id = membersOf(noted(START)).id
  if (isValid && (id === undefined || toFile(id as string) === file)) return
  throw new DurableError(
    'broken',
    `The journal "${file}" contains an invalid run record, no start, or the start of another run, which no engine could have written. The file was left unchanged. Check manually which steps took effect.`,
  )
}

function isRecordOf(key: string, value: unknown): boolean {
  if (value === undefined) return true
  if (key === WAITS) return Array.isArray(value) && value.every((wait) => isText(membersOf(wait).name))
  if (key === TRIED) return Array.isArray(value) && value.every(isText)
  if (key === MISFIT) return isFailure(value)
  const { at, id, state, failure, count, records } = membersOf(value)
  if (key === CRASHES) return isText(at) && Number.isSafeInteger(count) && Number.isSafeInteger(records)
  if (key === START) return isText(at) && (id === undefined || isText(id))
  if (state !== 'failed') return failure === undefined && (state === 'finished' || state === 'cancelled')
  return isFailure(failure)
}

function isFailure(value: unknown): boolean {
  const { name, message } = membersOf(value)
  return isText(name) && isText(message)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Converts records to a status. `isOwned` is true if a process owns the journal. */
export function toStatus<Input, Output>(id: string, records: RunRecords, isOwned: boolean): RunStatus<Input, Output> {
  const { start, end, misfit, waitsFor } = records
  const common = { id, input: start.input as Input, startedAt: start.at }
  if (end !== undefined) {
    const { state, output, failure } = end
    return { ...common, state, waitsFor: [], output: output as Output | undefined, failure }
  }
  if (isOwned) return { ...common, state: 'running', waitsFor: [] }
  if (misfit !== undefined) return { ...common, state: 'held', waitsFor: [], failure: misfit }
  return { ...common, state: waitsFor.length > 0 ? 'waiting' : 'queued', waitsFor }
}
