/** Edit distance between two texts. */

/**
 * Restricted Damerau–Levenshtein distance: a swap of neighbours counts as one edit, and no letter is edited twice. Exact up to `limit`,
 * `Infinity` above it.
 */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return Infinity
  const width = other.length + 1
  let above = new Int32Array(width)
  let last = new Int32Array(width).map((_, column) => column)
  let next = new Int32Array(width)
  for (let row = 1; row <= one.length; row++) {
    const code = one.charCodeAt(row - 1)
    // Farther from the diagonal, a distance is above the limit.
    const start = Math.max(1, row - limit)
    const end = Math.min(width - 1, row + limit)
    let least = start === 1 ? row : limit + 1
    next[start - 1] = least
    for (let column = start; column <= end; column++) {
      const target = other.charCodeAt(column - 1)
      const replaced = (last[column - 1] as number) + (code === target ? 0 : 1)
      let distance = Math.min(replaced, (last[column] as number) + 1, (next[column - 1] as number) + 1)
      if (row > 1 && column > 1 && code === other.charCodeAt(column - 2) && target === one.charCodeAt(row - 2))
        distance = Math.min(distance, (above[column - 2] as number) + 1)
      next[column] = distance
      if (distance < least) least = distance
    }
    // The least distance of a row never decreases, not even by a swap.
    if (least > limit) return Infinity
    next[end + 1] = limit + 1
    const spare = above
    above = last
    last = next
    next = spare
  }
  const distance = last[other.length] as number
  return distance <= limit ? distance : Infinity
}
