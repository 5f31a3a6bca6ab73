/** Converts a value for the interpreting validator to plain data, and refuses values that would take too long. */
import type { Issue } from '../issue.ts'
import { isPlain } from './bounds.ts'
import type { SchemaFacts } from './check.ts'
import { checkList, type Look } from './interpreted-bounds.ts'

export interface Instance {
  readonly instance: unknown
  readonly issues: readonly Issue[]
}

/** Copies arrays and plain objects. A function, or another value without a JSON form, becomes an empty object. */
export function toInstance(value: unknown, facts: SchemaFacts): Instance {
  const look: Look = { facts, keys: [], issues: [] }
  return { instance: copyOf(value, look), issues: look.issues }
}

function copyOf(value: unknown, look: Look): unknown {
  if (typeof value === 'string' || value === null || typeof value === 'boolean' || Number.isFinite(value)) return value
  if (Array.isArray(value)) {
    checkList(value, look)
    return value.map((item, index) => copyAt(String(index), item, look))
  }
  if (!isPlain(value)) return typeof value === 'object' ? value : OPAQUE
  const copy: Record<string, unknown> = {}
  const nameOf = namesFor(value)
  for (const [key, property] of Object.entries(value)) {
    if (property === undefined) continue
    Object.defineProperty(copy, nameOf(key), { value: copyAt(key, property, look), enumerable: true })
  }
  return copy
}

const OPAQUE = Object.freeze({})

/** The library encodes keys as URIs, which throws for a lone surrogate. Keys with one get another unique name. */
function namesFor(object: object): (key: string) => string {
  let names = 0
  const given = new Set<string>()
  return (key) => {
    if (key.isWellFormed()) return key
    const name = key.toWellFormed()
    let free = name
    while (Object.hasOwn(object, free) || given.has(free)) free = `${name}${names++}`
    given.add(free)
    return free
  }
}

function copyAt(key: string, value: unknown, look: Look): unknown {
  look.keys.push(key)
  const copy = copyOf(value, look)
  look.keys.pop()
  return copy
}
