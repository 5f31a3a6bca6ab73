/** How deep, long and wide a text may be, and what the provider said about its end. */
import { MAX_DEPTH } from '@x/tool-core'

export interface RecoverOptions {
  /**
   * What the provider said about the end of the text: true, it is whole; false, it was cut off: then it is never runnable,
   * even if it parses. Unless told, a number at the very end of open brackets counts as cut.
   */
  readonly complete?: boolean | undefined
  /** Deepest nesting; 512 unless told. */
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

export function toLimits({ maxDepth, maxLength, maxKeys }: RecoverOptions): Limits {
  return { maxDepth: maxDepth ?? MAX_DEPTH, maxLength: maxLength ?? 16 * 1024 * 1024, maxKeys: maxKeys ?? 100_000 }
}
