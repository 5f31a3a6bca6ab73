/** Lower bound of the edit distance of two texts, computed from their letters alone. */

/** Number of character codes that a text may contain: ASCII. */
const CODES = 128

/**
 * Compares many texts with one by the number of times each letter occurs. An edit removes at most one surplus letter and one missing
 * letter, and a swap removes none, so the edit distance is never smaller. This rules out most of ten thousand names.
 */
export class LetterDistance {
  readonly #length: number
  readonly #counts = new Int32Array(CODES)
  readonly #left = new Int32Array(CODES)

  /** `target` and the compared texts must be ASCII. */
  constructor(target: string) {
    this.#length = target.length
    for (let index = 0; index < target.length; index++) {
      const code = target.charCodeAt(index)
      this.#counts[code] = (this.#counts[code] as number) + 1
    }
  }

  /** Exact up to `limit`, `Infinity` above it. */
  to(other: string, limit: number): number {
    const { length } = other
    if (Math.abs(this.#length - length) > limit) return Infinity
    const left = this.#left
    left.set(this.#counts)
    let surplus = 0
    for (let index = 0; index < length; index++) {
      const code = other.charCodeAt(index)
      const rest = (left[code] as number) - 1
      left[code] = rest
      if (rest < 0 && ++surplus > limit) return Infinity
    }
    const missing = this.#length - (length - surplus)
    return missing > limit ? Infinity : Math.max(surplus, missing)
  }
}
