/** A value as the interpreting validator takes it: plain data only, and nothing that would keep it busy. */
import { type Issue, NO_ISSUES } from '../issue.ts'
import { isSchemaNode, type SchemaNode } from '../schema.ts'
import { isPlain } from './bounds.ts'
import type { SchemaFacts } from './check.ts'
import { schemasAt } from './places.ts'
import { pointerSegment } from './subschemas.ts'
import { wordsOf } from './words.ts'

export interface Instance {
  readonly instance: unknown
  readonly issues: readonly Issue[]
}

/** It compares each item of a list with each. */
const MAX_COMPARED = 1_000

/** Copies lists and plain objects. A function or another value that JSON cannot say becomes an empty object. */
export function toInstance(value: unknown, facts: SchemaFacts): Instance {
  const longest = Math.min(Infinity, ...[...facts.matchers.values()].map((matcher) => matcher.longest))
  const walk: Walk = { facts, longest, keys: [], issues: [] }
  const instance = copyOf(value, walk)
  return { instance, issues: walk.issues.length === 0 ? NO_ISSUES : walk.issues }
}

interface Walk {
  readonly facts: SchemaFacts
  /** The longest text that every pattern of the schema may be matched with. */
  readonly longest: number
  readonly keys: string[]
  readonly issues: Issue[]
}

function copyOf(value: unknown, walk: Walk): unknown {
  if (typeof value === 'string') {
    if (value.length > walk.longest) checkText(value, walk)
    return value
  }
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value
  if (Array.isArray(value)) {
    if (value.length > MAX_COMPARED) checkList(value, walk)
    return value.map((item, index) => copyAt(String(index), item, walk))
  }
  if (!isPlain(value)) return typeof value === 'object' ? value : OPAQUE
  const copy: Record<string, unknown> = {}
  for (const [key, property] of Object.entries(value)) {
    if (property === undefined) continue
    // A pattern may be about keys, and none is that long.
    if (key.length > walk.longest) walk.issues.push(issueAt(walk.keys, 'propertyNames', { limit: walk.longest }))
    // The library encodes keys as a URI, which fails at half a character.
    Object.defineProperty(copy, key.toWellFormed(), { value: copyAt(key, property, walk), enumerable: true })
  }
  return copy
}

const OPAQUE = Object.freeze({})

function copyAt(key: string, value: unknown, walk: Walk): unknown {
  walk.keys.push(key)
  const copy = copyOf(value, walk)
  walk.keys.pop()
  return copy
}

function checkText(text: string, { facts, keys, issues }: Walk): void {
  for (const { pattern } of candidatesAt(facts, keys)) {
    const longest = facts.matchers.get(String(pattern))?.longest ?? Infinity
    if (text.length > longest) issues.push(issueAt(keys, 'pattern', { pattern, longest }))
  }
}

function checkList(list: readonly unknown[], { facts, keys, issues }: Walk): void {
  const isCompared = candidatesAt(facts, keys).some(({ uniqueItems }) => uniqueItems === true)
  if (isCompared && list.length > MAX_COMPARED) issues.push(issueAt(keys, 'maxItems', { limit: MAX_COMPARED }))
}

/** All of them where a reference is of a kind that only a validator resolves. */
function candidatesAt({ schema, nodes }: SchemaFacts, keys: readonly string[]): readonly SchemaNode[] {
  const areKnown = nodes.every((node) => REFERENCES.every((keyword) => isPointer(node[keyword], schema as SchemaNode)))
  return areKnown ? schemasAt(schema, keys) : nodes
}

const REFERENCES = ['$ref', '$recursiveRef', '$dynamicRef']

function isPointer(reference: unknown, { $defs }: SchemaNode): boolean {
  if (typeof reference !== 'string') return true
  return reference === '#' || reference.startsWith('#/') || (isSchemaNode($defs) && Object.hasOwn($defs, reference))
}

function issueAt(keys: readonly string[], keyword: string, params: Readonly<Record<string, unknown>>): Issue {
  const path = keys.map((key) => `/${pointerSegment(key)}`).join('')
  return { path, keyword, ...wordsOf({ instancePath: path, schemaPath: '', keyword, params }) }
}
