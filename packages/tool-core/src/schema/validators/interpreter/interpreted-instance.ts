/** Converts a value for the interpreting validator to plain data, and refuses values that would take too long. */
import type { Issue } from '../../issue.ts'
import { isPlain } from '../bounds.ts'
import type { SchemaFacts } from '../check.ts'
import type { StepCounter } from '../steps.ts'
import { checkList, type Look } from './interpreted-bounds.ts'

export interface Instance {
  readonly instance: unknown
  readonly issues: readonly Issue[]
}

/** Copies arrays and plain objects. A function, or another value without a JSON form, becomes an empty object. */
export function toInstance(value: unknown, facts: SchemaFacts, counter: StepCounter): Instance {
  const look: Look = { facts, keys: [], issues: [] }
  // The library compares each item of a list with every other item. Reads are counted, because it doesn't report that work.
  const isCompared = facts.nodes.some(({ uniqueItems }) => uniqueItems === true)
  const copy = copyOf(value, isCompared ? { ...look, onRead: () => counter.take(STEPS_OF_A_READ) } : look)
  return { instance: copy, issues: look.issues }
}

const STEPS_OF_A_READ = 2

interface Copying extends Look {
  /** Called for each member that is read. */
  readonly onRead?: () => void
}

function copyOf(value: unknown, look: Copying): unknown {
  if (typeof value === 'string' || value === null || typeof value === 'boolean' || Number.isFinite(value)) return value
  if (Array.isArray(value)) {
    checkList(value, look)
    const items = value.map((item, index) => copyAt(String(index), item, look))
    return look.onRead === undefined ? items : countingReads(items, look.onRead)
  }
  if (!isPlain(value)) return typeof value === 'object' ? value : OPAQUE
  const copy: Record<string, unknown> = {}
  const nameOf = namesFor(value)
  for (const [key, property] of Object.entries(value)) {
    if (property === undefined) continue
    Object.defineProperty(copy, nameOf(key), { value: copyAt(key, property, look), enumerable: true })
  }
  return look.onRead === undefined ? copy : countingReads(copy, look.onRead)
}

function countingReads(target: object, onRead: () => void): object {
  const get = (from: object, key: string | symbol) => {
    onRead()
    return Reflect.get(from, key)
  }
  return new Proxy(target, { get })
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

function copyAt(key: string, value: unknown, look: Copying): unknown {
  look.keys.push(key)
  const copy = copyOf(value, look)
  look.keys.pop()
  return copy
}
