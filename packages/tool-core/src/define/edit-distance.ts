/** How many edits lie between one text and many others. */

const WORD = 32
/** Character codes that a text may hold: those of ASCII. */
const CODES = 128

/**
 * Damerau–Levenshtein distance in its restricted form: a swap of neighbours counts as one edit, and no letter is edited twice.
 * A column of the table of distances is kept as the differences between its rows, in bits, and 32 rows are computed at a time:
 * H. Hyyrö, "A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances", 2003, with the carries from word to word
 * of G. Myers, "A Fast Bit-Vector Algorithm for Approximate String Matching", 1999.
 */
export class EditDistance {
  readonly #length: number
  readonly #words: number
  /** For each character, the rows in which the target has it. */
  readonly #rows: Int32Array
  /** Rows that are one more than the row above, and one less. */
  readonly #more: Int32Array
  readonly #less: Int32Array
  /** Rows that are as much as their neighbour above in the column before. */
  readonly #free: Int32Array

  /** Of ASCII without U+0000, as the others. */
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

  /** Exact up to `limit`; beyond it `Infinity`, often found early. */
  to(other: string, limit: number): number {
    const { length } = other
    if (Math.abs(this.#length - length) > limit) return Infinity
    if (this.#length === 0) return length
    this.#more.fill(-1)
    this.#less.fill(0)
    this.#free.fill(0)
    let distance = this.#length
    let codeBefore = 0 // in no row: a name has no such character
    for (let column = 0; column < length; column++) {
      const code = other.charCodeAt(column)
      distance += this.#step(code, codeBefore)
      codeBefore = code
      // Each column that is left can take one off.
      if (distance - (length - 1 - column) > limit) return Infinity
    }
    return distance
  }

  /** To the next column; gives what the last row changes by. The letters of the papers: Pv, Mv, D0, Ph, Mh. */
  #step(code: number, codeBefore: number): number {
    const words = this.#words
    const rows = this.#rows
    const moreRows = this.#more
    const lessRows = this.#less
    const freeRows = this.#free
    let rising = 0
    let falling = 0
    // The row above the first one is as far as the column.
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
