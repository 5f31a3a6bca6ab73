/** Finds values that a parser of untrusted text must not return. */
import { isContainer } from '../../conformance/same-value.ts'

/** Describes the first unsafe part. Returns undefined for plain JSON without keys that reach a prototype. Iterative. */
export function findUnsafe(value: unknown): string | undefined {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (!isContainer(next)) {
      if (typeof next === 'string' || typeof next === 'number' || typeof next === 'boolean' || next === null) continue
      return `a value that is ${typeof next}`
    }
    const prototype: unknown = Object.getPrototypeOf(next)
    if (prototype !== (Array.isArray(next) ? Array.prototype : Object.prototype)) return 'an object with another prototype'
    if (Object.hasOwn(next, '__proto__')) return 'an own key "__proto__"'
    const { constructor: inner } = next
    if (Object.hasOwn(next, 'constructor') && isContainer(inner) && Object.hasOwn(inner, 'prototype'))
      return 'an own key "constructor" with a "prototype"'
    for (const key of Object.keys(next)) open.push(next[key])
  }
  return undefined
}
