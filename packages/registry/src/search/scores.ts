/** The scores of one search: room for every tool, of which only those that are found cost anything. */
import type { Postings } from './postings.ts'

export class Scores {
  /** For each slot: what its terms add up to, and the part of it that its name has. */
  readonly sums: Float64Array
  readonly named: Float64Array
  /** The slots that are not 0; the first `size` entries. */
  readonly found: Int32Array
  size = 0

  constructor(slots: number) {
    this.sums = new Float64Array(slots)
    this.named = new Float64Array(slots)
    this.found = new Int32Array(slots)
  }

  /** `value`: of the term, times the weight that it has in a tool. */
  add({ slots, weights }: Postings, value: number): void {
    const { sums, found } = this
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index] as number
      const sum = sums[slot] as number
      if (sum === 0) found[this.size++] = slot
      sums[slot] = sum + value * (weights[index] as number)
    }
  }

  addNamed(slots: readonly number[], value: number): void {
    for (const slot of slots) this.named[slot] = (this.named[slot] as number) + value
  }

  clear(): void {
    for (let index = 0; index < this.size; index++) {
      const slot = this.found[index] as number
      this.sums[slot] = 0
      this.named[slot] = 0
    }
    this.size = 0
  }
}
