/** The work of one check: a small schema cannot take much for a value that is bounded; what a large one takes is counted. */
import type { Issue } from '../issue.ts'
import { isSchemaNode, type SchemaNode } from '../schema.ts'
import { SEEMS_TO_REFER } from './deep-lists.ts'
import { isDataKeyword, isMapKeyword } from './subschemas.ts'

/** Keyword of the copy that `withSteps` makes: how many steps its schema takes, without those below it. */
export const STEPS = 'x-steps'

/** About 10 ns each, so 80 ms. A value of any size may take as many. */
export const MAX_STEPS = 8_000_000
/** As many more for each value and name in it: ten times what reading it as JSON takes. */
const STEPS_OF_A_VALUE = 20
/** To read as many takes as long as to read a short value. */
const CHARACTERS_OF_A_VALUE = 20
/** Steps of a schema that needs no counting: with each value it takes no more than a value may. */
const FEW_STEPS = STEPS_OF_A_VALUE

export class TooManySteps extends Error {}

export const TOO_COMPLEX: Issue = Object.freeze({
  path: '',
  keyword: 'too_complex',
  message: 'takes too many steps to check: use fewer values or shorter texts, or nest them less deeply',
  expected: 'fewer values or levels',
})

/** Counts the steps of one check after another; those before the first are free. */
export class StepCounter {
  #left = Number.POSITIVE_INFINITY
  #value: unknown
  #hasCounted = false

  start(value: unknown, steps = MAX_STEPS): void {
    this.#left = steps
    this.#value = value
    this.#hasCounted = false
  }

  /** Throws `TooManySteps`. Values are counted only where there are many steps. */
  take(steps: number): void {
    this.#left -= steps
    if (this.#left >= 0) return
    if (!this.#hasCounted) this.#left += STEPS_OF_A_VALUE * countValues(this.#value)
    this.#hasCounted = true
    this.#value = undefined
    if (this.#left < 0) throw new TooManySteps()
  }
}

/** Values and names in a value, at most about `limit`; a long text counts as many. Without recursion. */
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

/** False where each value takes few steps, however many there are: most parts of a schema apply to one value, and the others are few. */
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

/** What these keywords hold applies to any number of values. */
const REPEATING = [
  ...['items', 'additionalItems', 'unevaluatedItems', 'contains', 'propertyNames'],
  ...['additionalProperties', 'unevaluatedProperties', 'patternProperties'],
]

export function refers({ $ref, $recursiveRef, $dynamicRef }: SchemaNode): boolean {
  return ($ref ?? $recursiveRef ?? $dynamicRef) !== undefined
}

/** Of so many steps, what all parts of the value leave; negative as soon as they take more, so that no more of them is looked at. */
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

/** A copy of the schema that says in each part how many steps it takes, and in these that AJV is not to look for references. */
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

/** Without the schemas below it. A branch that fails makes an error, which takes longer than all else. */
export function stepsOf(node: SchemaNode): number {
  return Object.entries(node).reduce((steps, [keyword, value]) => {
    if (typeof value !== 'object' || value === null) return steps
    return steps + Object.keys(value).length * (CHOICES.has(keyword) ? 10 : 1)
  }, 1)
}

const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'oneOf'])
