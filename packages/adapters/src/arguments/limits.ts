/** How deep, long and wide a text may be, and what the provider said about its end. */
import { MAX_DEPTH } from '@x/tool-core'

export interface RecoverOptions {
  /**
   * What the provider said about the end of the text: true, it is whole; false, it was cut off: then it is never runnable,
   * even if it parses. Unless told, a number at the very end of open brackets counts as cut.
   */
  readonly complete?: boolean | undefined
  /** Deepest nesting; 512 unless told, 2,000 at most. */
  readonly maxDepth?: number | undefined
  /** Longest text in UTF-16 units; 16 Mi unless told. */
  readonly maxLength?: number | undefined
  /** Most keys of one object; 100,000 unless told. */
  readonly maxKeys?: number | undefined
}

export interface Limits {
  readonly maxDepth: number
  readonly maxLength: number
  readonly maxKeys: number
}

/** Deeper values overflow what copies or writes them. */
const DEEPEST = 2_000

/** Throws `RangeError` for what is no limit. */
export function toLimits(options: RecoverOptions): Limits {
  return {
    maxDepth: toLimit('maxDepth', options.maxDepth ?? MAX_DEPTH, DEEPEST),
    maxLength: toLimit('maxLength', options.maxLength ?? 16 * 1024 * 1024, Number.POSITIVE_INFINITY),
    maxKeys: toLimit('maxKeys', options.maxKeys ?? 100_000, Number.POSITIVE_INFINITY),
  }
}

function toLimit(name: keyof Limits, limit: number, most: number): number {
  if (typeof limit === 'number' && limit >= 1 && limit <= most) return limit
  throw new RangeError(`${name} must be a number from 1 to ${most}, got ${String(limit)}.`)
}
