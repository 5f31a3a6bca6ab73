/** Checks the options of toolsets and clients, because untyped code may pass anything. */
import { LONGEST_TIMER, ToolError } from '@x/tool-core'

/** Throws `invalid_definition` if `isLegal` is false. `must` completes the message, which starts like `file must be`. */
export function assertOption(isLegal: boolean, owner: string, option: string, must: string, got: unknown): void {
  if (!isLegal) throw new ToolError('invalid_definition', `${owner}: ${option} must be ${must}, got ${shown(got)}.`)
}

/** Throws `invalid_definition` if the options aren't an object. */
export function assertOptions(options: unknown, owner: string, example: string): void {
  if (typeof options === 'object' && options !== null) return
  throw new ToolError('invalid_definition', `${owner} takes an options object, such as ${example}, got ${shown(options)}.`)
}

export function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Throws `invalid_definition` unless `names` is undefined or a list of names. */
export function assertNames(names: unknown, owner: string, option: string): void {
  const isLegal = names === undefined || (Array.isArray(names) && names.every(isText))
  assertOption(isLegal, owner, option, 'a list of names', names)
}

/** Throws `invalid_definition` for a value that isn't a whole number above 0. */
export function assertCount(owner: string, limit: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new ToolError('invalid_definition', `${owner}: ${limit} must be a whole number above 0, got ${shown(value)}.`)
}

/** Throws `invalid_definition` for a value that isn't a valid number of milliseconds. `least` is the minimum. Default: 1. */
export function assertTime(owner: string, limit: string, value: number, least = 1): void {
  if (value >= least && value <= LONGEST_TIMER) return
  throw new ToolError(
    'invalid_definition',
    `${owner}: ${limit} must be a number of milliseconds from ${least} to ${LONGEST_TIMER}, got ${shown(value)}.`,
  )
}

/** Caps a delay at the longest one that a timer supports, or a timeout of PostgreSQL. */
export function timerMs(ms: number): number {
  return Math.min(ms, LONGEST_TIMER)
}

/** Describes a value for an error message. If the value may be long or secret, shows only its type. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === '') return 'an empty string'
  if (typeof value === 'string') return 'a string'
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'a list'
  return value instanceof Promise ? 'a promise; await it first' : `a value of type ${typeof value}`
}
