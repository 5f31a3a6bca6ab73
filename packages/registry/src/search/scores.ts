/** The scores of one search. Each tool has a slot. */
export class Scores {
  /** The total score of each slot. */
  readonly sums: Float32Array
  /** The part of each slot's score that comes from the tool's name. */
  readonly named: Float32Array

  constructor(slots: number) {
    this.sums = new Float32Array(slots)
    this.named = new Float32Array(slots)
  }

  addNamed(slots: readonly number[], value: number): void {
    const { named } = this
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index] as number
      named[slot] = (named[slot] as number) + value
    }
  }

  clear(): void {
    this.sums.fill(0)
    this.named.fill(0)
  }
}
