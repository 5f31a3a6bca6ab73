/** What a schema says about preparing a value: read once per schema object, since every call needs it. */
import { hasDefault, isSchemaNode, propertiesOf, requiredOf, type SchemaNode, soleMember, typesOf } from '../schema/schema.ts'
import { MAX_VALUES } from './faults.ts'

/** What a schema says of a value. What it says of the members is read when it is asked for: a schema may hold itself. */
export class Preparation {
  /** False where a text may be read as something else. */
  readonly keepsText: boolean
  readonly types: ReadonlySet<string>
  readonly takesNull: boolean
  readonly #schema: SchemaNode
  readonly #items: unknown
  #object: ObjectPreparation | undefined = undefined
  #everyItem: Preparation | undefined = undefined

  constructor(schema: SchemaNode) {
    this.types = new Set(typesOf(schema))
    this.keepsText = this.types.size === 0 || this.types.has('string')
    this.takesNull = takesNull(schema, this.types)
    this.#schema = schema
    this.#items = soleMember(schema, 'array').items
  }

  get object(): ObjectPreparation {
    this.#object ??= readObject(soleMember(this.#schema, 'object'))
    return this.#object
  }

  /** For the item at a place of a list. */
  itemAt(index: number): Preparation {
    if (Array.isArray(this.#items)) return preparationOf(this.#items[index])
    this.#everyItem ??= preparationOf(this.#items)
    return this.#everyItem
  }
}

export interface ObjectPreparation {
  /** In the order of the schema. */
  readonly declared: readonly PropertyPreparation[]
  readonly properties: ReadonlyMap<string, PropertyPreparation>
  readonly defaults: readonly Default[]
  /** True when all properties are known, so that another one is undeclared. */
  readonly isClosed: boolean
  /** For a strict tool, where an object that says nothing about its properties has none. */
  readonly isClosedIfStrict: boolean
  readonly ofAdditional: () => Preparation
}

export interface Default {
  readonly name: string
  readonly value: unknown
  /** How many values and characters it adds. */
  readonly values: number
  readonly characters: number
}

export interface PropertyPreparation {
  readonly name: string
  /** Its place in the schema. */
  readonly index: number
  /** False also for a property with a default, which may be left out. */
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

/** A schema may also be `true`, or missing. */
const ANY: SchemaNode = Object.freeze({})

function readObject(schema: SchemaNode): ObjectPreparation {
  const nodes = Object.entries(propertiesOf(schema))
  const required = new Set(requiredOf(schema))
  const declared = nodes.map(([name, node], index) => {
    return { name, index, isRequired: required.has(name), ofValue: preparationOf(node) }
  })
  return {
    declared,
    properties: new Map(declared.map((property) => [property.name, property])),
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

/** What says nothing of other properties than the declared ones. */
const SILENT = new Set([
  ...['type', 'properties', 'required', 'title', 'description', 'default', 'examples', 'nullable', 'deprecated'],
  ...['readOnly', 'writeOnly', '$id', '$schema', '$defs', 'definitions', '$comment'],
])

/** Any other keyword, as `additionalProperties`, `anyOf` or `minProperties`, may need what is not declared: there the schema decides. */
export function isClosedIfStrict(schema: SchemaNode): boolean {
  if (schema.type !== 'object') return false
  const isSilent = (keyword: string) => SILENT.has(keyword) || keyword.startsWith('x-') || schema[keyword] === undefined
  return Object.keys(schema).every(isSilent) && isDeclared(schema.required, propertiesOf(schema))
}

function isDeclared(required: unknown, properties: object): boolean {
  return !Array.isArray(required) || required.every((name) => Object.hasOwn(properties, name))
}

function takesNull(schema: SchemaNode, types: ReadonlySet<string>): boolean {
  if (schema.nullable === true) return true
  if (types.size > 0) return types.has('null')
  if (Array.isArray(schema.enum)) return schema.enum.includes(null)
  return 'const' in schema ? schema.const === null : true
}
