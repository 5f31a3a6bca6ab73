/** Compares JSON values and describes each difference in one line. */

/** Returns an empty list if both values are equal. */
export function difference(what: string, expected: unknown, found: unknown): readonly string[] {
  return isSameJson(expected, found) ? [] : [`${what}: expected ${show(expected)}, found ${show(found)}`]
}

/** Returns true if two JSON values are equal. The order of keys doesn't matter, and numbers are compared by value. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right)) return false
  const keys = Object.keys(left)
  const isSameAt = (key: string) => Object.hasOwn(right, key) && isSameJson(left[key], right[key])
  return keys.length === Object.keys(right).length && keys.every(isSameAt)
}

/** Returns an empty list if the value contains `wanted` at any depth. */
export function missing(what: string, value: unknown, wanted: unknown): readonly string[] {
  return holds(value, wanted) ? [] : [`${what}: ${show(wanted)} not found`]
}

function holds(value: unknown, wanted: unknown): boolean {
  return isSameJson(value, wanted) || (isContainer(value) && Object.values(value).some((inner) => holds(inner, wanted)))
}

export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

const SHOWN = 120

/** Returns true for an object or a list. */
function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
