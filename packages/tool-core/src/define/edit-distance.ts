/** Edit distance between one text and many others. */

const WORD = 32
/** Number of character codes that a text may contain: ASCII. */
const CODES = 128

/**
 * Restricted Damerau–Levenshtein distance: a swap of neighbours counts as one edit, and no letter is edited twice. Each column of the
 * distance table is stored as differences between its rows, in bits, so 32 rows are computed at a time. The algorithm is H. Hyyrö's, "A
 * Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances", 2003. Carries between words follow G. Myers, "A Fast
 * Bit-Vector Algorithm for Approximate String Matching", 1999.
 */
export class EditDistance {
  readonly #length: number
  readonly #words: number
  /** For each character, the rows in which the target contains it. */
  readonly #rows: Int32Array
  /** Rows whose distance is one more than in the row above, and one less. */
  readonly #more: Int32Array
  readonly #less: Int32Array
  /** Rows whose distance equals that of the row above in the previous column. */
  readonly #free: Int32Array

  /** `target` and the compared texts must be ASCII without U+0000. */
  constructor(target: string) {
    this.#length = target.length
    this.#words = Math.ceil(target.length / WORD)
    this.#rows = new Int32Array(CODES * this.#words)
    for (let row = 0; row < target.length; row++) {
      const word = target.charCodeAt(row) * this.#words + Math.floor(row / WORD)
      this.#rows[word] = (this.#rows[word] as number) | (1 << (row % WORD))
    }
    this.#more = new Int32Array(this.#words)
    this.#less = new Int32Array(this.#words)
    this.#free = new Int32Array(this.#words)
  }

  /** Exact up to `limit`, `Infinity` above it. */
  to(other: string, limit: number): number {
    const { length } = other
    if (Math.abs(this.#length - length) > limit) return Infinity
    if (this.#length === 0) return length
    this.#more.fill(-1)
    this.#less.fill(0)
    this.#free.fill(0)
    let distance = this.#length
    let codeBefore = 0 // in no row, because a name never contains it
    for (let column = 0; column < length; column++) {
      const code = other.charCodeAt(column)
      distance += this.#step(code, codeBefore)
      codeBefore = code
      // Each remaining column can reduce the distance by one.
      if (distance - (length - 1 - column) > limit) return Infinity
    }
    return distance
  }

  /** Computes the next column and returns the change of the last row. Names in the papers: Pv, Mv, D0, Ph, Mh. */
  #step(code: number, codeBefore: number): number {
    const words = this.#words
    const rows = this.#rows
    const moreRows = this.#more
    const lessRows = this.#less
    const freeRows = this.#free
    let rising = 0
    let falling = 0
    // The distance of the row above the first one is the number of the column.
    let carryRising = 1
    let carryFalling = 0
    let carrySwap = 0
    for (let word = 0; word < words; word++) {
      const same = rows[code * words + word] as number
      const more = moreRows[word] as number
      const less = lessRows[word] as number
      const swappable = ~(freeRows[word] as number) & same
      const swapped = ((swappable << 1) | carrySwap) & (rows[codeBefore * words + word] as number)
      const matching = same | carryFalling
      const free = ((((matching & more) + more) | 0) ^ more) | matching | less | swapped
      rising = less | ~(free | more)
      falling = free & more
      const risingAbove = (rising << 1) | carryRising
      const fallingAbove = (falling << 1) | carryFalling
      moreRows[word] = fallingAbove | ~(free | risingAbove)
      lessRows[word] = risingAbove & free
      freeRows[word] = free
      carrySwap = swappable >>> 31
      carryRising = rising >>> 31
      carryFalling = falling >>> 31
    }
    const lastRow = (this.#length - 1) % WORD
    return ((rising >>> lastRow) & 1) - ((falling >>> lastRow) & 1)
  }
}
