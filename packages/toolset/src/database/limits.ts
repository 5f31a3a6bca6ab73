/** Checks the limits that a program sets, before a timer or a driver misreads them. */
import { ToolError } from '@x/tool-core'

/** Node's timers take a longer time for 1 ms. */
const MAX_TIME_MS = 2 ** 31 - 1

/** For a timer: a longer wait than one can be is as long as it can be. */
export function timerMs(ms: number): number {
  return Math.min(ms, MAX_TIME_MS)
}

/** Throws `invalid_definition`. */
export function assertCount(owner: string, limit: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new ToolError('invalid_definition', `${owner}: ${limit} must be a whole number above 0, got ${value}.`)
}

/** Throws `invalid_definition`. In milliseconds; `least` is 1 unless told. */
export function assertTime(owner: string, limit: string, value: number, least = 1): void {
  if (value >= least && value <= MAX_TIME_MS) return
  throw new ToolError(
    'invalid_definition',
    `${owner}: ${limit} must be a number of milliseconds from ${least} to ${MAX_TIME_MS}, got ${value}.`,
  )
}
