/** Copies arguments, so that a hook or a schema that kept a reference to them can't change the executed arguments. */
import { isInstance } from '../schema/schema.ts'

/**
 * Copies plain objects, arrays and built-in containers such as `Map` and `Date`, even behind getters and proxies. An instance of any other
 * class isn't copied, because it may be a connection.
 */
export function ownCopy<Value>(value: Value, copies: Map<unknown, unknown> = new Map()): Value {
  if (typeof value !== 'object' || value === null) return value
  if (copies.has(value)) return copies.get(value) as Value
  if (!Array.isArray(value) && isInstance(value)) return (copyOfBuiltIn(value, copies) ?? value) as Value
  if (Array.isArray(value)) {
    const list: unknown[] = []
    copies.set(value, list)
    // Keeps the holes of a sparse array.
    list.length = value.length
    value.forEach((item, index) => {
      list[index] = ownCopy(item, copies)
    })
    return list as Value
  }
  const copy: Record<string, unknown> = {}
  copies.set(value, copy)
  for (const [key, member] of Object.entries(value)) {
    // An assignment to `__proto__` wouldn't create a key.
    Object.defineProperty(copy, key, { value: ownCopy(member, copies), writable: true, enumerable: true, configurable: true })
  }
  return copy as Value
}

/**
 * Copies an instance of a built-in class. Returns undefined for any other class, including a subclass of a built-in one, because only the
 * class itself can create an instance.
 */
function copyOfBuiltIn(value: object, copies: Map<unknown, unknown>): object | undefined {
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return copyOfBytes(value)
  const copy = COPIES.get(Object.getPrototypeOf(value))?.(value, (member) => ownCopy(member, copies))
  if (copy !== undefined) copies.set(value, copy)
  return copy
}

type CopyOf = (value: object, own: (member: unknown) => unknown) => object

const COPIES: ReadonlyMap<unknown, CopyOf> = new Map<unknown, CopyOf>([
  [Date.prototype, (date) => new Date(date as Date)],
  [Map.prototype, (map, own) => copyOfMap(map as Map<unknown, unknown>, own)],
  [Set.prototype, (set, own) => new Set([...(set as Set<unknown>)].map(own))],
  [URL.prototype, (url) => new URL(String(url))],
  [URLSearchParams.prototype, (query) => new URLSearchParams(query as URLSearchParams)],
  [ArrayBuffer.prototype, (buffer) => (buffer as ArrayBuffer).slice(0)],
  [DataView.prototype, (view) => structuredClone(view)],
])

function copyOfMap(map: Map<unknown, unknown>, own: (member: unknown) => unknown): object {
  const copy = new Map<unknown, unknown>()
  for (const [key, value] of map) copy.set(own(key), own(value))
  return copy
}

/** Copies bytes. Uses the `slice` of `Uint8Array`, because `Buffer`'s own `slice` shares memory with the original. */
function copyOfBytes(value: object): object {
  return Uint8Array.prototype.slice.call(value as Uint8Array)
}
