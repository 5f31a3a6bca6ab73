/** Checks limits in options, because a timer or a driver could misinterpret an invalid one. */
import { LONGEST_TIMER, ToolError } from '@x/tool-core'

/** Caps a delay at the longest one that a timer supports, or a timeout of PostgreSQL. */
export function timerMs(ms: number): number {
  return Math.min(ms, LONGEST_TIMER)
}

/** Throws `invalid_definition` for a value that isn't a whole number above 0. */
export function assertCount(owner: string, limit: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new ToolError('invalid_definition', `${owner}: ${limit} must be a whole number above 0, got ${value}.`)
}

/** Throws `invalid_definition` for a value that isn't a valid number of milliseconds. `least` is the minimum. Default: 1. */
export function assertTime(owner: string, limit: string, value: number, least = 1): void {
  if (value >= least && value <= LONGEST_TIMER) return
  throw new ToolError(
    'invalid_definition',
    `${owner}: ${limit} must be a number of milliseconds from ${least} to ${LONGEST_TIMER}, got ${value}.`,
  )
}
