/** Computes the facts about a schema that coercion needs on every call, and caches them per schema object. */

import { MAX_VALUES } from '../faults.ts'
import { parserOf } from '../schema/parser.ts'
import {
  hasDefault,
  isClosedIfStrict,
  isSchemaNode,
  propertiesOf,
  requiredOf,
  type SchemaNode,
  soleMember,
  typesOf,
} from '../schema/schema.ts'

/** Facts about one schema. The facts about nested schemas are computed on demand, because a schema may refer to itself. */
export class Preparation {
  /** True if a string is never coerced to another type. */
  readonly keepsText: boolean
  readonly types: ReadonlySet<string>
  readonly takesNull: boolean
  /** True if coercion fills in the defaults. False for another library's schema, because that library does so itself. */
  readonly fillsDefaults: boolean
  readonly #schema: SchemaNode
  readonly #first: readonly unknown[]
  readonly #items: unknown
  #object: ObjectPreparation | undefined = undefined
  #everyItem: Preparation | undefined = undefined

  constructor(schema: SchemaNode) {
    this.types = new Set(typesOf(schema))
    this.keepsText = this.types.size === 0 || this.types.has('string')
    this.takesNull = takesNull(schema, this.types)
    this.fillsDefaults = parserOf(schema) === undefined
    this.#schema = schema
    const { prefixItems, items } = soleMember(schema, 'array')
    const first = Array.isArray(prefixItems) ? prefixItems : items
    this.#first = Array.isArray(first) ? first : []
    this.#items = items
  }

  get object(): ObjectPreparation {
    this.#object ??= readObject(soleMember(this.#schema, 'object'))
    return this.#object
  }

  /** Returns the facts about the schema of the array item at this index. */
  itemAt(index: number): Preparation {
    if (index < this.#first.length) return preparationOf(this.#first[index])
    this.#everyItem ??= preparationOf(this.#items)
    return this.#everyItem
  }
}

export interface ObjectPreparation {
  /** Declared properties, in the order of the schema. */
  readonly declared: readonly PropertyPreparation[]
  readonly properties: ReadonlyMap<string, PropertyPreparation>
  readonly defaults: readonly Default[]
  /** True if the schema lists all allowed properties, so that any other property is undeclared. */
  readonly isClosed: boolean
  /** Like `isClosed`, but for a strict tool. There, an object schema without `properties` allows no properties. */
  readonly isClosedIfStrict: boolean
  readonly ofAdditional: () => Preparation
}

export interface Default {
  readonly name: string
  readonly value: unknown
  /** Number of values that the default adds. */
  readonly values: number
  /** Number of characters in the strings and keys of the default. */
  readonly characters: number
}

export interface PropertyPreparation {
  readonly name: string
  /** False for a property with a default. */
  readonly isRequired: boolean
  readonly ofValue: Preparation
}

const preparations = new WeakMap<SchemaNode, Preparation>()

export function preparationOf(schema: unknown): Preparation {
  const node = isSchemaNode(schema) ? schema : ANY
  let preparation = preparations.get(node)
  if (preparation === undefined) {
    preparation = new Preparation(node)
    preparations.set(node, preparation)
  }
  return preparation
}

/** The node for a missing schema and for the schema `true`. */
const ANY: SchemaNode = Object.freeze({})

function readObject(schema: SchemaNode): ObjectPreparation {
  const nodes = Object.entries(propertiesOf(schema))
  const required = new Set(requiredOf(schema))
  const properties = new Map<string, PropertyPreparation>()
  for (const [name, node] of nodes) properties.set(name, { name, isRequired: required.has(name), ofValue: preparationOf(node) })
  return {
    declared: [...properties.values()],
    properties,
    defaults: nodes.filter(([, node]) => hasDefault(node)).map(([name, node]) => toDefault(name, node.default)),
    isClosed: isClosedIfStrict(schema) && isSchemaNode(schema.properties),
    isClosedIfStrict: isClosedIfStrict(schema),
    ofAdditional: () => preparationOf(schema.patternProperties === undefined ? schema.additionalProperties : undefined),
  }
}

function toDefault(name: string, value: unknown): Default {
  let values = 0
  let characters = 0
  const left = [value]
  while (left.length > 0 && values <= MAX_VALUES) {
    const next = left.pop()
    values++
    if (typeof next === 'string') characters += next.length
    if (typeof next !== 'object' || next === null) continue
    for (const [key, member] of Object.entries(next)) {
      if (!Array.isArray(next)) characters += key.length
      left.push(member)
    }
  }
  return { name, value, values, characters }
}

function takesNull(schema: SchemaNode, types: ReadonlySet<string>): boolean {
  if (types.size > 0) return types.has('null')
  if (Array.isArray(schema.enum)) return schema.enum.includes(null)
  return (schema.const ?? null) === null
}
