/** The limits of a program, their defaults and bounds. */
import { LONGEST_TIMER } from '@x/tool-core'
import { assertOptions } from './assert-matching.ts'
import { CodeError } from './errors.ts'

export interface Limits {
  /** Maximum computing time of the program, in milliseconds. Time spent waiting for calls doesn't count. Default: 5,000. */
  readonly timeMs: number
  /** Maximum memory of the program, in bytes. Default: 64 MiB. */
  readonly memoryBytes: number
  /** Maximum size of the call stack, in bytes. Default: 262,144. Maximum: 524,288. In browsers, at most 98,304 is used. */
  readonly stackBytes: number
  /** Maximum number of calls of one program. Default: 200. Maximum: 1,000. */
  readonly calls: number
  /** Maximum length of the result as JSON, in characters. Default: 100,000. */
  readonly outputLength: number
  /** Maximum length of what the program writes to the console, in characters. The rest is omitted. Default: 10,000. */
  readonly logLength: number
  /** Maximum length of a program, in characters. Default: 50,000. */
  readonly codeLength: number
}

const DEFAULTS: Limits = {
  timeMs: 5_000,
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  calls: 200,
  outputLength: 100_000,
  logLength: 10_000,
  codeLength: 50_000,
}

/** The smallest and the largest value of each limit. */
const BOUNDS: { readonly [Name in keyof Limits]: readonly [least: number, most: number] } = {
  timeMs: [1, LONGEST_TIMER],
  memoryBytes: [1024 * 1024, 2 ** 31],
  stackBytes: [16 * 1024, 512 * 1024],
  calls: [0, 1_000],
  outputLength: [1, 2 ** 28],
  logLength: [0, 2 ** 28],
  codeLength: [1, 2 ** 28],
}

/** Returns all limits. Throws `invalid_option` for an unknown limit or an invalid value. */
export function readLimits(given: Partial<Limits> = {}): Limits {
  assertOptions('codeTool', given, Object.keys(BOUNDS), 'limits.')
  const limits: Record<string, number> = { ...DEFAULTS }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const [least, most] = BOUNDS[name as keyof Limits]
    if (!Number.isSafeInteger(value) || value < least || value > most)
      throw new CodeError(
        'invalid_option',
        `codeTool: limits.${name} must be an integer from ${least} to ${most}, got ${String(value)}.`,
      )
    limits[name] = value
  }
  return limits as unknown as Limits
}
