/** Suggests similar names for an unknown one. */

/**
 * Returns up to `limit` known names that are similar to an unknown one, most similar first. Two names are similar if their spelling is
 * close, or if one is a whole word of the other (`search` finds `web_search`). Returns an empty list if no name is similar. Default limit:
 * 3.
 */
export function nearestNames(wrong: string, names: Iterable<string>, limit = 3): readonly string[] {
  const most = limit >= 1 ? Math.floor(limit) : 0
  if (most === 0) return []
  const target = plain(wrong.slice(0, 200))
  const nearest: NearName[] = []
  for (const name of names) {
    const candidate = plain(name)
    // Once the list is full, a name is added only if it is nearer than the last one.
    const allowed = Math.min(allowedDistance(target, candidate), nearest[most - 1]?.distance ?? Infinity)
    const distance = wordDistance(target, candidate) ?? editDistance(target, candidate, allowed)
    if (distance <= allowed) insert(nearest, { name, distance }, most)
  }
  return nearest.map(({ name }) => name)
}

interface NearName {
  readonly name: string
  readonly distance: number
}

/** Matches names that must be normalized before they're compared. Most tool names needn't be. */
const NOT_PLAIN = /[^a-z0-9_]|__/

/** Normalizes a name: `getWeather` and `get-weather` become `get_weather`. */
function plain(name: string): string {
  if (!NOT_PLAIN.test(name)) return name
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  return words.replace(/[^a-z0-9]+/g, '_')
}

/** Returns the largest edit distance at which two names count as similar: a third of the longer name's length, at least 1. */
function allowedDistance(a: string, b: string): number {
  return Math.max(1, Math.floor(Math.max(a.length, b.length) / 3))
}

/** Returns 0 for equal names, 1 if one is a whole word of the other, and undefined otherwise. */
function wordDistance(a: string, b: string): number | undefined {
  if (a === b) return 0
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return short.length >= 4 && long.includes(short) && `_${long}_`.includes(`_${short}_`) ? 1 : undefined
}

function isNearer(a: NearName, b: NearName): boolean {
  return a.distance < b.distance || (a.distance === b.distance && a.name < b.name)
}

/** Inserts a name into the sorted list, and drops the last name if the list becomes too long. */
function insert(nearest: NearName[], found: NearName, most: number): void {
  const place = nearest.findIndex((one) => isNearer(found, one))
  nearest.splice(place === -1 ? nearest.length : place, 0, found)
  if (nearest.length > most) nearest.pop()
}

/**
 * Returns the restricted Damerau–Levenshtein distance: swapping two adjacent letters counts as one edit, and no letter is edited twice. The
 * result is exact up to `limit`, and `Infinity` above it.
 */
function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return Infinity
  const width = other.length + 1
  let above = new Int32Array(width)
  let last = new Int32Array(width).map((_, column) => column)
  let next = new Int32Array(width)
  for (let row = 1; row <= one.length; row++) {
    const code = one.charCodeAt(row - 1)
    // Cells farther from the diagonal would exceed the limit.
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
    // The smallest distance never decreases from one row to the next, even with swaps.
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
