/** Splits bytes at pseudorandom positions. */

export const CUTTINGS = 20
/** One cutting per length, for tests. */
export const FEW_CUTTINGS = 6

/** Splits bytes. The lengths depend on the number of the cutting: 0 is byte by byte, later ones are longer, up to 1 KiB. */
export function cutBytes(bytes: Uint8Array, cutting: number): readonly Uint8Array[] {
  const random = createRandom(cutting + 1)
  const longest = 4 ** Math.min(cutting, 5)
  const pieces: Uint8Array[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = start + 1 + Math.floor(random() * longest)
    pieces.push(bytes.subarray(start, end))
    start = end
  }
  return pieces
}

/** Numbers from 0 to 1 from a linear congruential generator, which is good enough to choose positions. */
function createRandom(seed: number): () => number {
  // Adjacent seeds would start alike.
  let state = Math.imul(seed, 0x9e37_79b1)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
