/** How many edits two texts are apart at least, by their letters alone. */

/** Character codes that a text may hold: those of ASCII. */
const CODES = 128

/**
 * Compares many texts with one by how often each letter is in them, wherever it stands. An edit mends at most one letter too many
 * and one too few, and a swap mends none, so the edit distance is never less. It tells most of ten thousand names from a wrong one.
 */
export class LetterDistance {
  readonly #length: number
  readonly #counts = new Int32Array(CODES)
  readonly #left = new Int32Array(CODES)

  /** Of ASCII, as the others. */
  constructor(target: string) {
    this.#length = target.length
    for (let index = 0; index < target.length; index++) {
      const code = target.charCodeAt(index)
      this.#counts[code] = (this.#counts[code] as number) + 1
    }
  }

  /** Exact up to `limit`; beyond it `Infinity`. */
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
