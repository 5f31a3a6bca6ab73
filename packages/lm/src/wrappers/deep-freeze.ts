/** Freezes plain data, so that callers can share it. */

/** Freezes arrays and plain objects at any depth, and returns the value. Doesn't freeze instances of classes. */
export function deepFreeze<Value>(value: Value): Value {
  const found = new Set<object>()
  const find = (item: unknown) => {
    if (isPlain(item)) found.add(item)
  }
  find(value)
  // The loop also visits the items that are added to the set while it runs.
  for (const item of found) {
    for (const inner of Object.values(item)) find(inner)
    Object.freeze(item)
  }
  return value
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null
}
