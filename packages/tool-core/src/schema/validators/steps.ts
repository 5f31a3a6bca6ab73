/** Limits the work of a check. The steps of a small schema aren't counted, because a small schema can't make a check slow. */
import type { Issue } from '../issue.ts'
import { isSchemaNode, type SchemaNode } from '../schema.ts'
import { SEEMS_TO_REFER } from './deep-lists.ts'
import { isDataKeyword, isMapKeyword } from './subschemas.ts'

/** Keyword that `withSteps` adds to each schema. Its value is the schema's number of steps without its subschemas. */
export const STEPS = 'x-steps'

/** Number of steps that every check may take. Large values may take more. A step takes about 10 ns, so this is about 80 ms. */
export const MAX_STEPS = 8_000_000
/** Additional steps for each nested value and each property name. They take about ten times as long as `JSON.parse` takes to parse it. */
const STEPS_OF_A_VALUE = 20
/** Number of characters that take as long to read as one short value. */
const CHARACTERS_OF_A_VALUE = 20
const STEPS_OF_AN_ERROR = 10
/** A schema with at most this many steps isn't counted, because it never exceeds the steps that are allowed for each value. */
const FEW_STEPS = STEPS_OF_A_VALUE

export class TooManySteps extends Error {}

export const TOO_COMPLEX: Issue = Object.freeze({
  path: '',
  keyword: 'too_complex',
  message: 'takes too many steps to check: use fewer values or shorter strings, or nest them less deeply',
  expected: 'fewer values or levels',
})

/** Counts the steps of a check. `start` sets the number of steps that any value may take. */
export class StepCounter {
  #left = Number.POSITIVE_INFINITY
  #value: unknown
  #hasCounted = false
  #errors = 0

  start(value: unknown, steps = MAX_STEPS): void {
    this.#left = steps
    this.#value = value
    this.#hasCounted = false
    this.#errors = 0
  }

  /** Counts steps, and the errors that were created since the last call. `errors` is the number of all errors. */
  takeWithErrors(steps: number, errors: number): void {
    const more = errors - this.#errors
    this.#errors = errors
    this.take(more > 0 ? steps + STEPS_OF_AN_ERROR * more : steps)
  }

  /**
   * Counts steps, and throws `TooManySteps` if there are too many. Large values may take more steps, so the values are counted once the
   * initial steps are used up.
   */
  take(steps: number): void {
    this.#left -= steps
    if (this.#left >= 0) return
    if (!this.#hasCounted) this.#left += STEPS_OF_A_VALUE * countValues(this.#value)
    this.#hasCounted = true
    this.#value = undefined
    if (this.#left < 0) throw new TooManySteps()
  }
}

/** Counts the values and names in a value, up to about `limit`. A long string counts as several values. Doesn't recurse. */
export function countValues(root: unknown, limit = Number.POSITIVE_INFINITY): number {
  let count = 0
  const stack: object[] = []
  const add = (member: unknown) => {
    count += typeof member === 'string' ? 1 + member.length / CHARACTERS_OF_A_VALUE : 1
    if (typeof member === 'object' && member !== null) stack.push(member)
  }
  add(root)
  for (let node = stack.pop(); node !== undefined && count < limit; node = stack.pop()) {
    if (Array.isArray(node)) for (const member of node) add(member)
    else
      for (const name of Object.keys(node)) {
        add(name)
        add((node as SchemaNode)[name])
      }
  }
  return count
}

/**
 * True if the steps of a schema must be counted. False if no value can take many steps, because most parts of the schema apply to a single
 * value, and only a few parts apply to many values.
 */
export function needsCounting(nodes: readonly SchemaNode[]): boolean {
  if (stepsOfAll(nodes) <= FEW_STEPS) return false
  let left = FEW_STEPS
  for (const node of nodes) {
    if (refers(node)) return true
    for (const keyword of REPEATING) left = stepsLeft(node[keyword], isMapKeyword(keyword), left)
    if (left < 0) return true
  }
  return false
}

/** Keywords whose schemas may apply to any number of values. */
const REPEATING = [
  ...['items', 'additionalItems', 'unevaluatedItems', 'contains', 'propertyNames'],
  ...['additionalProperties', 'unevaluatedProperties', 'patternProperties'],
]

export function refers({ $ref, $recursiveRef, $dynamicRef }: SchemaNode): boolean {
  return ($ref ?? $recursiveRef ?? $dynamicRef) !== undefined
}

/** Subtracts the steps of all parts from `allowed`, and returns the rest. Stops once the result is negative. */
function stepsLeft(value: unknown, isMap: boolean, allowed: number): number {
  if (typeof value !== 'object' || value === null || allowed < 0) return allowed
  const isNode = !isMap && isSchemaNode(value)
  let left = allowed - (isNode ? stepsOf(value) : 1)
  for (const [key, child] of Object.entries(value)) {
    if (left < 0) break
    if (!isNode || !isDataKeyword(key)) left = stepsLeft(child, isNode && isMapKeyword(key), left)
  }
  return left
}

/**
 * Returns a copy of the schema in which every subschema contains its number of steps. Marks `deepParts`, so that AJV doesn't search them
 * for references.
 */
export function withSteps(schema: object, deepParts: ReadonlySet<object>): object {
  const copiesOfMaps = new Map<object, object>()
  const copiesOfOthers = new Map<object, object>()
  const copyOf = (value: unknown, isMap: boolean): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const copies = isMap ? copiesOfMaps : copiesOfOthers
    const known = copies.get(value)
    if (known !== undefined) return known
    const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
      ? []
      : deepParts.has(value) && !isMap
        ? { ...SEEMS_TO_REFER }
        : {}
    copies.set(value, copy)
    const isNode = !isMap && isSchemaNode(value)
    for (const [key, child] of Object.entries(value)) {
      const member = isNode && isDataKeyword(key) ? child : copyOf(child, isNode && isMapKeyword(key))
      Object.defineProperty(copy, key, { value: member, enumerable: true, configurable: true, writable: true })
    }
    return isNode ? Object.assign(copy, { [STEPS]: stepsOf(value) }) : copy
  }
  return copyOf(schema, false) as object
}

export function stepsOfAll(nodes: Iterable<SchemaNode>): number {
  let steps = 0
  for (const node of nodes) steps += stepsOf(node)
  return steps
}

/**
 * Returns a schema's number of steps without its subschemas. Each branch of a union counts as ten steps, because creating an error for a
 * branch is the slowest part.
 */
export function stepsOf(node: SchemaNode): number {
  return Object.entries(node).reduce((steps, [keyword, value]) => {
    if (typeof value !== 'object' || value === null) return steps
    const members = Object.values(value)
    if (DEPENDENT.has(keyword)) for (const names of members) if (Array.isArray(names)) steps += 2 * names.length
    return steps + members.length * (CHOICES.has(keyword) ? 10 : 1)
  }, 1)
}

const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'oneOf'])
const DEPENDENT: ReadonlySet<string> = new Set(['dependentRequired', 'dependencies'])
