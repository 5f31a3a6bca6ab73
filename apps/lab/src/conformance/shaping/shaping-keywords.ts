/**
 * Checks that every keyword of a schema is either sent or reported as a loss. Walks the original and the sent schema in parallel, and
 * accepts equivalent forms: an inlined reference, merged `allOf` parts, a list of types as a choice, `const` as `enum`, null as `nullable`.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Loss } from '@x/adapters/wire'
import { pointerSegment, targetOf } from '@x/tool-core'
import { isNode, type Node } from './shaping-place.ts'

/** Returns one line for each keyword that is neither sent nor reported. */
export function unaccounted(original: Node, wire: Node, losses: readonly Loss[]): readonly string[] {
  return new Walk(original, wire, losses).run()
}

class Walk {
  readonly #original: Node
  readonly #wire: Node
  readonly #lost: ReadonlySet<string>
  readonly #seen = new Set<string>()
  readonly #faults: string[] = []

  constructor(original: Node, wire: Node, losses: readonly Loss[]) {
    this.#original = original
    this.#wire = wire
    this.#lost = new Set(losses.map(({ path, keyword }) => `${keyword} ${path}`))
  }

  run(): readonly string[] {
    this.#node(this.#original, '', this.#views([this.#wire]))
    return this.#faults
  }

  #isLost(path: string, keyword: string): boolean {
    return this.#lost.has(`${keyword} ${path}`)
  }

  /** Returns all sent schemas that describe the same value: the nodes, their choices and parts, and the targets of their references. */
  #views(nodes: readonly unknown[]): readonly Node[] {
    const found = new Set<Node>()
    const open = nodes.filter(isNode)
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (found.has(node)) continue
      found.add(node)
      for (const list of [node.anyOf, node.oneOf, node.allOf]) if (Array.isArray(list)) open.push(...list.filter(isNode))
      const target = typeof node.$ref === 'string' ? targetOf(decodeURIComponent(node.$ref), this.#wire) : undefined
      if (isNode(target)) open.push(target)
    }
    return [...found]
  }

  /**
   * Checks a node. `allowed` lists the types that the enclosing schemas allow, if they restrict types. Other types in the node have no
   * effect.
   */
  #node(node: unknown, path: string, views: readonly Node[], allowed?: readonly string[]): void {
    if (!isNode(node) || this.#isLost(path, 'schema')) return
    for (const [keyword, value] of Object.entries(node)) {
      if (!this.#isLost(path, keyword))
        this.#keyword(keyword, value, path, views, { allowed, inside: narrow(allowed, node.type) })
    }
  }

  #keyword(keyword: string, value: unknown, path: string, views: readonly Node[], { allowed, inside }: Around): void {
    const at = `${path}/${keyword}`
    const fail = () => {
      this.#faults.push(`${keyword} at ${path || 'the root'} is neither sent nor reported as a loss`)
    }
    if (keyword === '$ref') this.#reference(value, path, views, fail, inside)
    else if (keyword === '$defs' || keyword === 'definitions') this.#map(value, keyword, at, views, () => {})
    else if (MAPS.has(keyword)) this.#map(value, keyword, at, views, fail)
    else if (Array.isArray(value) && LISTS.has(keyword)) this.#list(value, at, views, inside)
    else if (Array.isArray(value) && TUPLES.has(keyword)) {
      this.#list(value, at, this.#views(views.flatMap((view) => [view.prefixItems, view.items].flat())))
    } else if (isNode(value) && INNER.has(keyword)) {
      const inner = this.#views(views.map((view) => view[keyword === 'additionalItems' ? 'items' : keyword]))
      const isClosed = keyword === 'additionalProperties' && views.some((view) => view[keyword] === false)
      if (inner.length === 0 && Object.keys(value).length > 0 && !isClosed) fail()
      else if (!isClosed) this.#node(value, at, inner)
    } else {
      const isSaid = saysKeyword(keyword, leftOf(keyword, value, keyword === 'enum' ? inside : allowed), views)
      const isImplied = keyword === 'type' && path.includes('/allOf/') && isNarrower(value, views)
      if (!isSaid && !isImplied && !(keyword === 'required' && this.#isRenamed(value, path, views))) fail()
    }
  }

  #list(nodes: readonly unknown[], at: string, views: readonly Node[], allowed?: readonly string[]): void {
    for (const [index, part] of nodes.entries()) this.#node(part, `${at}/${index}`, views, allowed)
  }

  #reference(value: unknown, path: string, views: readonly Node[], fail: () => void, allowed?: readonly string[]): void {
    if (views.some((view) => view.$ref === value)) return
    const target = typeof value === 'string' ? targetOf(decodeURIComponent(value), this.#original) : undefined
    const key = `${value} ${path}`
    if (target === undefined) fail()
    else if (!this.#seen.has(key)) {
      this.#seen.add(key)
      this.#node(target, decodeURIComponent(String(value).slice(1)), views, allowed)
    }
  }

  #map(value: unknown, keyword: string, at: string, views: readonly Node[], fail: () => void): void {
    if (!isNode(value)) return
    for (const [name, node] of Object.entries(value)) {
      const path = `${at}/${pointerSegment(name)}`
      // The property was renamed, and a different one may have its name on the wire.
      if (this.#isLost(path, 'name')) continue
      const holders = views.map((view) => view[keyword]).filter((map) => isNode(map) && Object.hasOwn(map, name))
      if (holders.length > 0) this.#node(node, path, this.#views(holders.map((map) => (map as Node)[name])))
      else fail()
    }
  }

  /** Returns true if the missing names are those of renamed properties, which are required under their new names. */
  #isRenamed(value: unknown, path: string, views: readonly Node[]): boolean {
    const names = Array.isArray(value) ? value : []
    const required = views.flatMap(({ required: list }) => (Array.isArray(list) ? list : []))
    return names.every(
      (name) => required.includes(name) || this.#isLost(`${path}/properties/${pointerSegment(String(name))}`, 'name'),
    )
  }
}

interface Around {
  readonly allowed: readonly string[] | undefined
  /** `allowed`, narrowed by the schema's own type. */
  readonly inside: readonly string[] | undefined
}

function narrow(allowed: readonly string[] | undefined, type: unknown): readonly string[] | undefined {
  if (type === undefined) return allowed
  const types = [type].flat().map((one) => String(one).toLowerCase())
  const all = types.includes('number') ? [...types, 'integer'] : types
  return allowed === undefined ? all : all.filter((one) => allowed.includes(one))
}

/** Removes disallowed types from `type`, and values of those types from `enum`. */
function leftOf(keyword: string, value: unknown, allowed: readonly string[] | undefined): unknown {
  if (allowed === undefined) return value
  if (keyword === 'type') return [value].flat().filter((type) => allowed.includes(String(type).toLowerCase()))
  if (keyword === 'enum' && Array.isArray(value)) return value.filter((one) => allowed.includes(typeOf(one)))
  return value
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const LISTS = new Set(['anyOf', 'oneOf', 'allOf'])
const TUPLES = new Set(['prefixItems', 'items'])
const INNER = new Set([
  ...['items', 'additionalItems', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else'],
  ...['propertyNames', 'unevaluatedItems', 'unevaluatedProperties'],
])
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** Returns true if another part already allows only some of these types. */
function isNarrower(value: unknown, views: readonly Node[]): boolean {
  const types = [value].flat()
  const sent = views.flatMap(({ type }) => (type === undefined ? [] : [type].flat()))
  return sent.length > 0 && sent.every((type) => types.includes(type) || (type === 'integer' && types.includes('number')))
}

function saysKeyword(keyword: string, value: unknown, views: readonly Node[]): boolean {
  const says = Object.hasOwn(SAYS, keyword) ? SAYS[keyword] : undefined
  return says?.(value, views) ?? views.some((view) => isDeepStrictEqual(view[keyword], value))
}

type Says = (value: unknown, views: readonly Node[]) => boolean

const atLeast =
  (keyword: string): Says =>
  (value, views) =>
    views.some((view) => Number(view[keyword]) >= Number(value))
const atMost =
  (keyword: string): Says =>
  (value, views) =>
    views.some((view) => Number(view[keyword]) <= Number(value))

const SAYS: Readonly<Record<string, Says>> = {
  type: (value, views) => [value].flat().every((type) => saysType(type, views)),
  enum: (value, views) => Array.isArray(value) && value.every((one) => saysValue(one, views)),
  const: (value, views) => saysValue(value, views),
  nullable: (value, views) => value !== true || saysType('null', views),
  required: (value, views) =>
    Array.isArray(value) && (value.length === 0 || value.every((name) => views.some((view) => isIn(name, view.required)))),
  description: (value, views) =>
    views.some((view) => typeof view.description === 'string' && view.description.includes(String(value))),
  default: (value, views) =>
    views.some((view) => isDeepStrictEqual(view.default, value) || view.default === JSON.stringify(value)),
  items: (value, views) =>
    value === true || views.some((view) => view.items === value || (value === false && 'maxItems' in view)),
  additionalItems: (value, views) => value === true || views.some((view) => view.items !== undefined || 'maxItems' in view),
  additionalProperties: (value, views) => value === true || views.some((view) => view.additionalProperties === value),
  uniqueItems: (value, views) => value === false || views.some((view) => view.uniqueItems === true),
  minimum: atLeast('minimum'),
  minLength: atLeast('minLength'),
  minItems: atLeast('minItems'),
  minProperties: atLeast('minProperties'),
  exclusiveMinimum: atLeast('exclusiveMinimum'),
  maximum: atMost('maximum'),
  maxLength: atMost('maxLength'),
  maxItems: atMost('maxItems'),
  maxProperties: atMost('maxProperties'),
  exclusiveMaximum: atMost('exclusiveMaximum'),
}

function saysType(type: unknown, views: readonly Node[]): boolean {
  const name = String(type).toLowerCase()
  const isNamed = views.some((view) => [view.type].flat().some((one) => String(one).toLowerCase() === name))
  if (isNamed || (name === 'null' && views.some((view) => view.nullable === true))) return true
  // The values of an enum have types themselves, and `integer` implies `number`.
  return views.some((view) => Array.isArray(view.enum) || view.type === 'null' || (name === 'number' && view.type === 'integer'))
}

function saysValue(value: unknown, views: readonly Node[]): boolean {
  if (value === null) return saysType('null', views) || views.some((view) => isIn(null, view.enum) || view.const === null)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (views.some((view) => isIn(value, view.enum) || isIn(text, view.enum) || isDeepStrictEqual(view.const, value))) return true
  return typeof value === 'boolean' && views.some((view) => view.type === 'boolean')
}

function isIn(value: unknown, list: unknown): boolean {
  return Array.isArray(list) && list.some((one) => isDeepStrictEqual(one, value))
}
