/** Compares JSON values exactly, and finds parts of an earlier value that a later one has lost. */

type Container = Readonly<Record<string, unknown>>

/**
 * Returns true if the values are equal. The order of keys doesn't matter, and `0` and `-0` differ. Iterative, so values may be nested
 * deeply.
 */
export function isSameValue(left: unknown, right: unknown): boolean {
  const open: [unknown, unknown][] = [[left, right]]
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [one, other] = pair
    if (Object.is(one, other)) continue
    if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) return false
    const keys = Object.keys(one)
    if (keys.length !== Object.keys(other).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false
      open.push([one[key], other[key]])
    }
  }
  return true
}

/**
 * Returns the path to a part of an earlier value that a later one lacks. Strings, lists and objects may only grow, and everything else must
 * stay the same. Returns undefined if nothing was lost.
 */
export function findLoss(earlier: unknown, later: unknown): readonly string[] | undefined {
  const open: Pair[] = [{ earlier, later, place: undefined }]
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const { earlier: before, later: after, place } = pair
    if (Object.is(before, after)) continue
    if (typeof before === 'string' && typeof after === 'string' && after.startsWith(before)) continue
    if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) return toPath(place)
    for (const key of Object.keys(before)) {
      const inner = { key, outer: place }
      if (!Object.hasOwn(after, key)) return toPath(inner)
      open.push({ earlier: before[key], later: after[key], place: inner })
    }
  }
  return undefined
}

interface Pair {
  readonly earlier: unknown
  readonly later: unknown
  readonly place: Place | undefined
}

/** A path as a linked list. Copying the path for each part would take time quadratic in the depth. */
interface Place {
  readonly key: string
  readonly outer: Place | undefined
}

function toPath(place: Place | undefined): readonly string[] {
  const path: string[] = []
  for (let next = place; next !== undefined; next = next.outer) path.push(next.key)
  return path.reverse()
}

/** Returns true for an object or a list. */
export function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}
