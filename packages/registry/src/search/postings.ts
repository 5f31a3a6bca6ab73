/** The tools that hold something, each with the weight that it has there. */

/** Two lists of one length; their order means nothing. */
export interface Postings {
  readonly slots: number[]
  readonly weights: number[]
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
