/** Tells data from instances of classes. */

/** True for an object that is no list and no plain record. A record of another realm is a record too. */
export function isInstance(value: object): boolean {
  if (Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return false
  return Object.getPrototypeOf(prototype) !== null
}
