/** The errors of runs, shared by all engines. */
import { isDeepStrictEqual } from 'node:util'
import { DurableError, type RunFailure } from '../errors.ts'
import { toFailure } from './failure.ts'

export function unknownRun(id: string): DurableError {
  return new DurableError('unknown_run', `No run has the id "${id}". Start it first.`)
}

export function runCancelled(id: string): DurableError {
  return new DurableError('run_cancelled', `The run "${id}" was cancelled. Start another one with a new id.`)
}

/** Returns the error of a failed run. `cause` is the original error, if it was thrown in this process. */
export function runFailed(id: string, failure: RunFailure, cause?: unknown): DurableError {
  const code = failure.code === undefined ? '' : ` (${failure.code})`
  return new DurableError('run_failed', `The run "${id}" failed. ${failure.name}${code}: ${failure.message}`, { failure, cause })
}

export function runEnded(id: string): DurableError {
  return new DurableError('run_ended', `The run "${id}" has ended and accepts no more decisions. Get its result with result().`)
}

/** Returns the failure of a run that the engine has given up, because its worker died `crashes` times in a row. */
export function workerCrashed(id: string, crashes: number): DurableError {
  const times = crashes === 1 ? 'once' : `${crashes} times in a row`
  return new DurableError(
    'worker_crashed',
    `The run "${id}" was abandoned: its worker died ${times} while executing it. Find out what ends the process, then resume the run with retry().`,
  )
}

/** Returns the report about a run that is held. */
export function runHeld(id: string, { name, message, code }: RunFailure): DurableError {
  const reason = `${name}${code === undefined ? '' : ` (${code})`}: ${message}`
  return new DurableError(
    'run_held',
    `The run "${id}" is held, because its records don't fit the program of this worker. ${reason} Deploy a program that fits, then call retry().`,
    { failure: code === undefined ? { name, message } : { name, message, code } },
  )
}

/** Returns the report about a run that is left to another worker, because this one can't load a module. */
export function notLoaded(id: string, cause: unknown): DurableError {
  const { message } = toFailure(cause)
  return new DurableError(
    'cannot_load',
    `The run "${id}" needs a module that this worker cannot load (${message}). The run is left to another worker, and this one tries it again later. Raise the limit of open files. If the problem remains, restart the worker.`,
    { cause },
  )
}

/** Returns the error for holding a run whose program requests something other than what is recorded. */
export function anotherProgram(words: string, cause?: unknown): DurableError {
  return new DurableError(
    'steps_mismatch',
    `The program requests other steps or decisions than those that are recorded: ${words}`,
    { cause },
  )
}

/** Throws `another_input` unless both inputs are equal as JSON. */
export function assertSameInput(id: string, before: unknown, input: unknown): void {
  if (isSameData(before, input)) return
  throw new DurableError('another_input', `The run "${id}" was started with a different input. Use a unique id for each run.`)
}

/** Throws `already_decided` unless both decisions are equal as JSON. */
export function assertSameDecision(id: string, name: string, before: unknown, value: unknown): void {
  if (isSameData(before, value)) return
  const words = `The run "${id}" already has a different decision for ${JSON.stringify(name)}. Decisions are final.`
  throw new DurableError('already_decided', words)
}

export function notEnded(id: string): DurableError {
  return new DurableError('not_ended', `The run "${id}" hasn't ended, so it can't be removed. Cancel it first.`)
}

export function engineClosed(): DurableError {
  return new DurableError('closed', 'The engine is closed. Create a new one.')
}

function isSameData(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other))
}

/** Returns the value after a JSON round trip, which drops undefined properties. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

/** "." and ".." are refused, because they can't be parts of a URL. */
const ID = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,200}$/

export function isRunId(id: unknown): id is string {
  return typeof id === 'string' && ID.test(id)
}

/** Throws `invalid_id` unless the value is a valid run id. */
export function assertRunId(id: unknown): void {
  if (isRunId(id)) return
  const found = typeof id === 'string' ? JSON.stringify(id) : `a value of type ${typeof id}`
  throw new DurableError(
    'invalid_id',
    `A run id must have 1 to 200 characters: letters, digits, or any of . _ : -, and not be "." or "..", got ${found}.`,
  )
}
