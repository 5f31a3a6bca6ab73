/** Checks limits in options, because a timer or a driver could misinterpret an invalid one. */
import { ToolError } from '@x/tool-core'

/** Longest delay of a timer, in milliseconds. Node would treat a longer delay as 1 ms. */
const MAX_TIME_MS = 2 ** 31 - 1

/** Caps a delay at the longest one that a timer supports. */
export function timerMs(ms: number): number {
  return Math.min(ms, MAX_TIME_MS)
}

/** Throws `invalid_definition` for a value that isn't a whole number above 0. */
export function assertCount(owner: string, limit: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new ToolError('invalid_definition', `${owner}: ${limit} must be a whole number above 0, got ${value}.`)
}

/** Throws `invalid_definition` for a value that isn't a valid number of milliseconds. `least` is the minimum. Default: 1. */
export function assertTime(owner: string, limit: string, value: number, least = 1): void {
  if (value >= least && value <= MAX_TIME_MS) return
  throw new ToolError(
    'invalid_definition',
    `${owner}: ${limit} must be a number of milliseconds from ${least} to ${MAX_TIME_MS}, got ${value}.`,
  )
}
