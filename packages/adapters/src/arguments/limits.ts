/** Options for parsing: limits on depth, length and number of keys, and whether the text is known to be complete. */
import { MAX_DEPTH } from '@x/tool-core'

export interface RecoverOptions {
  /**
   * Whether the provider reported the text as complete. If false, the text was truncated and is refused even if it can be parsed.
   * If undefined, text that ends in a number while brackets are open counts as truncated.
   */
  readonly complete?: boolean | undefined
  /** Maximum nesting depth, up to 2,000. Default: 512. */
  readonly maxDepth?: number | undefined
  /** Maximum length in UTF-16 code units. Default: 16,777,216. */
  readonly maxLength?: number | undefined
  /** Maximum number of keys in one object. Default: 100,000. */
  readonly maxKeys?: number | undefined
}

export interface Limits {
  readonly maxDepth: number
  readonly maxLength: number
  readonly maxKeys: number
}

/** Upper limit for `maxDepth`. Copying or serializing deeper values would overflow the stack. */
const DEEPEST = 2_000

/** Validates the limits and fills in the defaults. Throws a `RangeError` for an invalid limit. */
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
