/** The tools that hold something, each with the weight that it has there. */

/** No weight is above it. */
export const MAX_WEIGHT = 1.5

/** Two lists of one length; their order means nothing. */
export interface Postings {
  readonly slots: number[]
  readonly weights: number[]
  /** How much it says that a tool holds it; of all tools together. */
  rarity: number
  /** Where its part of the packed lists begins. */
  start: number
  /** The search that counted it last: none counts it twice. */
  countedIn: number
}

export function createPostings(): Postings {
  return { slots: [], weights: [], rarity: Number.NaN, start: 0, countedIn: 0 }
}

export function addPosting({ slots, weights }: Postings, slot: number, weight: number): void {
  slots.push(slot)
  weights.push(weight)
}

/** The last one takes the place of the one that goes. */
export function removePosting({ slots, weights }: Postings, slot: number): void {
  const at = slots.indexOf(slot)
  if (at < 0) return
  const [lastSlot, lastWeight] = [slots.pop(), weights.pop()]
  if (at === slots.length || lastSlot === undefined || lastWeight === undefined) return
  slots[at] = lastSlot
  weights[at] = lastWeight
}

/** The inverse document frequency of BM25, never negative: high when few of all the tools hold it. */
export function rarityOf({ slots }: Postings, tools: number): number {
  return Math.log(1 + (tools - slots.length + 0.5) / (slots.length + 0.5))
}

/** In a packed posting the last bits are the weight, those before it the slot: room for four million tools. */
const WEIGHT_BITS = 10
const WEIGHT_STEPS = 2 ** WEIGHT_BITS - 1

/**
 * All postings of an index in one list, 4 bytes each: what a search waits for is memory. How rare each thing is among so many
 * tools is written down as well.
 */
export function packPostings(all: readonly Postings[], tools: number): Uint32Array {
  const packed = new Uint32Array(all.reduce((size, { slots }) => size + slots.length, 0))
  let next = 0
  for (const postings of all) {
    const { slots, weights } = postings
    postings.start = next
    postings.rarity = rarityOf(postings, tools)
    for (let index = 0; index < slots.length; index++) {
      const weight = Math.ceil(((weights[index] as number) / MAX_WEIGHT) * WEIGHT_STEPS)
      packed[next++] = ((slots[index] as number) << WEIGHT_BITS) | weight
    }
  }
  return packed
}

/** Adds to the sum of each tool that holds it `value` times the weight that it has there. */
export function addPacked(packed: Uint32Array, { start, slots }: Postings, value: number, sums: Float32Array): void {
  const end = start + slots.length
  const step = (value * MAX_WEIGHT) / WEIGHT_STEPS
  for (let index = start; index < end; index++) {
    const posting = packed[index] as number
    const slot = posting >>> WEIGHT_BITS
    sums[slot] = (sums[slot] as number) + step * (posting & WEIGHT_STEPS)
  }
}
