/** Copies arguments, so that a hook or a schema that keeps what it returned can't change what is executed. */

/**
 * Copies plain objects, lists and dates, also those behind getters and proxies. An instance of another class stays the object that it is:
 * it may be a connection.
 */
export function ownCopy<Value>(value: Value, copies: Map<unknown, unknown> = new Map()): Value {
  if (typeof value !== 'object' || value === null) return value
  if (copies.has(value)) return copies.get(value) as Value
  if (Object.getPrototypeOf(value) === Date.prototype) return new Date(value as unknown as Date) as Value
  if (!Array.isArray(value) && isInstance(value)) return value
  const copy = (Array.isArray(value) ? [] : {}) as Record<string, unknown>
  copies.set(value, copy)
  for (const [key, member] of Object.entries(value)) {
    // Of an assignment `__proto__` is not a key.
    Object.defineProperty(copy, key, { value: ownCopy(member, copies), writable: true, enumerable: true, configurable: true })
  }
  return copy as Value
}

/** True for an object that is no list and no plain record. A record of another realm is a record too. */
export function isInstance(value: object): boolean {
  if (Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return false
  return Object.getPrototypeOf(prototype) !== null
}
