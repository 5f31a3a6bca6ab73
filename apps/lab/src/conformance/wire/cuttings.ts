/** Splits bytes at pseudorandom positions. Each way of splitting is called a cutting and has a number. */

export const CUTTINGS = 20
/** Number of cuttings for tests: one for each maximum length. */
export const FEW_CUTTINGS = 6

/** Splits bytes. The maximum length of a piece depends on `cutting`: 0 splits into single bytes, 5 and above into up to 1 KiB. */
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

/** Returns a linear congruential generator of numbers from 0 to 1, which is good enough for choosing positions. */
function createRandom(seed: number): () => number {
  // Mixes the seed, because otherwise adjacent seeds would produce similar first numbers.
  let state = Math.imul(seed, 0x9e37_79b1)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
