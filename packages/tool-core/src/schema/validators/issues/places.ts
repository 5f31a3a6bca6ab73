/** Finds the parts of a schema that may apply to a place in a value. */
import { memberOf } from '../../pointer.ts'
import { isSchemaNode, type SchemaNode } from '../../schema.ts'
import { type LinkedSchema, linkedSchemaOf } from '../references/linked-schema.ts'

/** A place in a value, and the schemas that may apply there. */
export interface SchemaPlace {
  readonly schemas: readonly SchemaNode[]
  /** True if `schemas` may be incomplete, because the schema has too many parts. */
  readonly isPartial: boolean
}

/** Finds the schemas that apply to places in a value. Remembers what it found, so that a long path is fast after a similar one. */
export class SchemaPlaces {
  readonly root: SchemaPlace
  readonly #linked: LinkedSchema
  /** Keys: the number of a place and the key of a member, or the numbers of nodes. */
  readonly #known = new Map<string, SchemaPlace>()
  readonly #numbers = new Map<object, number>()
  #visitsLeft: number

  /** After `visits` parts of the schema, all further places are partial. */
  constructor(schema: object, visits: number) {
    this.#linked = linkedSchemaOf(schema)
    this.#visitsLeft = visits
    this.root = this.#placeOf([this.#linked.schema])
  }

  /** Returns the place of a member. */
  at(place: SchemaPlace, key: string): SchemaPlace {
    if (place.schemas.length === 0) return place
    if (this.#visitsLeft < 0) return UNKNOWN
    const name = `${this.#numberOf(place)}/${key}`
    const known = this.#known.get(name)
    if (known !== undefined) return known
    this.#visitsLeft -= place.schemas.length
    const children: SchemaNode[] = []
    for (const node of place.schemas) children.push(...childrenAt(node, key))
    const found = this.#placeOf(children)
    const member = place.isPartial ? { schemas: found.schemas, isPartial: true } : found
    this.#known.set(name, member)
    return member
  }

  /** Returns the places on a path: first the place of the value itself, then one for each key. */
  onTheWay(keys: readonly string[]): readonly SchemaPlace[] {
    let place = this.root
    const way = [place]
    for (const key of keys) {
      place = this.at(place, key)
      way.push(place)
    }
    return way
  }

  atPath(keys: readonly string[]): SchemaPlace {
    return this.onTheWay(keys).at(-1) ?? this.root
  }

  /** The place of the same nodes is always the same object. In a recursive schema, there are therefore few places on any path. */
  #placeOf(nodes: readonly SchemaNode[]): SchemaPlace {
    let name = ''
    for (const node of new Set(nodes)) name += ` ${this.#numberOf(node)}`
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const place = this.#spread(nodes)
    this.#known.set(name, place)
    return place
  }

  #numberOf(part: object): number {
    const number = this.#numbers.get(part) ?? this.#numbers.size
    this.#numbers.set(part, number)
    return number
  }

  /** Returns the nodes together with all nodes that they combine or refer to. */
  #spread(start: readonly SchemaNode[]): SchemaPlace {
    const found = new Set<SchemaNode>()
    const stack: unknown[] = [...start]
    while (stack.length > 0 && found.size < MAX_NODES) {
      const node = stack.pop()
      if (!isSchemaNode(node) || found.has(node)) continue
      found.add(node)
      for (const keyword of COMBINED) if (Array.isArray(node[keyword])) for (const part of node[keyword]) stack.push(part)
      for (const keyword of APPLIED) stack.push(node[keyword])
      for (const keyword of DEPENDENT) if (isSchemaNode(node[keyword])) stack.push(...Object.values(node[keyword]))
      stack.push(this.#linked.targets.get(node))
      this.#addDynamicTargets(node, stack)
      this.#visitsLeft -= stack.length / NODES_OF_A_VISIT
    }
    return { schemas: [...found], isPartial: stack.some((node) => isSchemaNode(node) && !found.has(node)) }
  }

  #addDynamicTargets(node: SchemaNode, stack: unknown[]): void {
    const { dynamic } = this.#linked
    const reference = dynamic?.references.get(node)
    if (dynamic === undefined || reference === undefined) return
    stack.push(reference.target)
    for (const anchors of dynamic.anchors.values()) stack.push(anchors.get(reference.name))
  }
}

const UNKNOWN: SchemaPlace = { schemas: [], isPartial: true }
const MAX_NODES = 200
const NODES_OF_A_VISIT = 1_000
const COMBINED = ['anyOf', 'oneOf', 'allOf'] as const
const APPLIED = ['if', 'then', 'else', 'not'] as const
const DEPENDENT = ['dependentSchemas', 'dependencies'] as const
const BY_POSITION = ['items', 'prefixItems'] as const
const OF_ALL = ['additionalProperties', 'unevaluatedProperties', 'additionalItems', 'unevaluatedItems', 'contains'] as const

function childrenAt(node: SchemaNode, key: string): readonly SchemaNode[] {
  const children = [memberOf(node.properties, key)]
  if (isSchemaNode(node.patternProperties)) children.push(...Object.values(node.patternProperties))
  for (const keyword of BY_POSITION) {
    const list = node[keyword]
    children.push(Array.isArray(list) ? list[Number(key)] : list)
  }
  for (const keyword of OF_ALL) children.push(node[keyword])
  return children.filter(isSchemaNode)
}
