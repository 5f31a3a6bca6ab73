/** What engines say of runs, in the same words. */
import { isDeepStrictEqual } from 'node:util'
import { DurableError, type RunFailure } from '../errors.ts'

export function unknownRun(id: string): DurableError {
  return new DurableError('unknown_run', `There is no run "${id}". Start it first.`)
}

export function runCancelled(id: string): DurableError {
  return new DurableError('run_cancelled', `The run "${id}" was cancelled.`)
}

/** `cause` is what was thrown, where that was in this process. */
export function runFailed(id: string, failure: RunFailure, cause?: unknown): DurableError {
  const code = failure.code === undefined ? '' : ` (${failure.code})`
  return new DurableError('run_failed', `The run "${id}" failed. ${failure.name}${code}: ${failure.message}`, { failure, cause })
}

export function runEnded(id: string): DurableError {
  return new DurableError('run_ended', `The run "${id}" is over: nothing can be decided about it any more.`)
}

/** Throws `another_input` unless both are the same as JSON. */
export function assertSameInput(id: string, before: unknown, input: unknown): void {
  if (isSameData(before, input)) return
  throw new DurableError('another_input', `The run "${id}" was started with another input. Give each run an id of its own.`)
}

/** Throws `already_decided` unless both are the same as JSON. */
export function assertSameDecision(id: string, name: string, before: unknown, value: unknown): void {
  if (isSameData(before, value)) return
  const words = `It was decided about ${JSON.stringify(name)} of the run "${id}" before, and otherwise; a decision stays.`
  throw new DurableError('already_decided', words)
}

export function engineClosed(): DurableError {
  return new DurableError('closed', 'The engine was closed. Create another one.')
}

function isSameData(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other))
}

/** As JSON keeps it: without members that are undefined. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

const ID = /^[A-Za-z0-9._:-]{1,200}$/

export function isRunId(id: unknown): id is string {
  return typeof id === 'string' && ID.test(id)
}

/** Throws `invalid_id`. */
export function assertRunId(id: unknown): void {
  if (isRunId(id)) return
  const said = typeof id === 'string' ? JSON.stringify(id) : `A value of type ${typeof id}`
  throw new DurableError('invalid_id', `${said} is no id of a run: give 1 to 200 letters, digits and ". _ : -".`)
}
