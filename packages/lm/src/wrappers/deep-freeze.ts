/** Makes plain data unchangeable, so that many can have the same. */

/** Freezes arrays and objects without a class, however deep they nest, and gives the value back. Instances stay as they are. */
export function deepFreeze<Value>(value: Value): Value {
  const found = new Set<object>()
  const find = (item: unknown) => {
    if (isPlain(item)) found.add(item)
  }
  find(value)
  // A set gives what is added on the way too, each once.
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
