/** Posting lists. The list of a term contains the tools with that term, and the term's weight in each. */

/** Upper limit of all weights. */
export const MAX_WEIGHT = 1.5

/** The slots of the tools that contain a term, and the term's weights in them, as two parallel arrays in no particular order. */
export interface Postings {
  readonly slots: number[]
  readonly weights: number[]
  /** Inverse document frequency of the term among all tools. */
  rarity: number
  /** Position of the first posting in the packed array. */
  start: number
  /** The number of the last search that counted these postings. It prevents a search from counting them twice. */
  countedIn: number
}

export function createPostings(): Postings {
  return { slots: [], weights: [], rarity: Number.NaN, start: 0, countedIn: 0 }
}

export function addPosting({ slots, weights }: Postings, slot: number, weight: number): void {
  slots.push(slot)
  weights.push(weight)
}

/** Removes a posting by moving the last posting into its place. */
export function removePosting({ slots, weights }: Postings, slot: number): void {
  const at = slots.indexOf(slot)
  if (at < 0) return
  const [lastSlot, lastWeight] = [slots.pop(), weights.pop()]
  if (at === slots.length || lastSlot === undefined || lastWeight === undefined) return
  slots[at] = lastSlot
  weights[at] = lastWeight
}

/** Returns the inverse document frequency of BM25, which is high if few tools contain the term. Never negative. */
export function rarityOf({ slots }: Postings, tools: number): number {
  return Math.log(1 + (tools - slots.length + 0.5) / (slots.length + 0.5))
}

/** A packed posting has the weight in its low bits and the slot in the bits above. Four million slots fit. */
const WEIGHT_BITS = 10
const WEIGHT_STEPS = 2 ** WEIGHT_BITS - 1

/** Number of postings to pack without a pause, which takes a few milliseconds. */
export const PART = 20_000

/**
 * Packs all postings into one array of 4 bytes each, because memory access limits the speed of a search. Also computes the rarity of each
 * term. Yields between parts. `size` is the total length of all lists.
 */
export function* packPostings(all: Iterable<Postings>, size: number, tools: number): Generator<void, Uint32Array> {
  const packed = new Uint32Array(size)
  let next = 0
  let packedBefore = 0
  for (const postings of all) {
    if (next - packedBefore > PART) {
      packedBefore = next
      yield
    }
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

/** Adds `weight × value` to the score of each tool in a posting list. */
export function addPacked(packed: Uint32Array, { start, slots }: Postings, value: number, sums: Float32Array): void {
  const end = start + slots.length
  const step = (value * MAX_WEIGHT) / WEIGHT_STEPS
  for (let index = start; index < end; index++) {
    const posting = packed[index] as number
    const slot = posting >>> WEIGHT_BITS
    sums[slot] = (sums[slot] as number) + step * (posting & WEIGHT_STEPS)
  }
}
