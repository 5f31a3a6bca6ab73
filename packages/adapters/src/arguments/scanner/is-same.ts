/** Compares two JSON values. The order of keys doesn't matter. */

/** Uses recursion, because parsed values have a limited depth. */
export function isSame(one: unknown, other: unknown): boolean {
  if (!isNode(one) || !isNode(other)) return Object.is(one, other)
  const keys = Object.keys(one)
  if (Array.isArray(one) !== Array.isArray(other) || keys.length !== Object.keys(other).length) return false
  return keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
