/** What a schema says about preparing a value: read once per schema object, since every call needs it. */
import { hasDefault, isSchemaNode, propertiesOf, requiredOf, type SchemaNode, soleMember, typesOf } from './schema.ts'

export interface Preparation {
  /** False where a text may be read as something else. */
  readonly keepsText: boolean
  readonly types: ReadonlySet<string>
  readonly takesNull: boolean
  readonly ofObject: ObjectPreparation
  /** For the item at a place of a list. */
  ofItem(index: number): Preparation
}

export interface ObjectPreparation {
  readonly properties: ReadonlyMap<string, PropertyPreparation>
  readonly defaults: readonly (readonly [name: string, value: unknown])[]
  /** True when all properties are known, so that another one is undeclared. */
  readonly isClosed: boolean
  /** For a strict tool, where an object that says nothing about its properties has none. */
  readonly isClosedIfStrict: boolean
  readonly ofAdditional: () => Preparation
}

export interface PropertyPreparation {
  /** False also for a property with a default, which may be left out. */
  readonly isRequired: boolean
  readonly of: () => Preparation
}

const preparations = new WeakMap<SchemaNode, Preparation>()

export function preparationOf(schema: unknown): Preparation {
  const node = isSchemaNode(schema) ? schema : ANY
  let preparation = preparations.get(node)
  if (preparation === undefined) {
    preparation = read(node)
    preparations.set(node, preparation)
  }
  return preparation
}

/** A schema may also be `true`, or missing. */
const ANY: SchemaNode = Object.freeze({})

function read(schema: SchemaNode): Preparation {
  const types = new Set(typesOf(schema))
  const { items } = soleMember(schema, 'array')
  const ofItems = later(items)
  return {
    types,
    keepsText: types.size === 0 || types.has('string'),
    takesNull: takesNull(schema, types),
    ofObject: readObject(soleMember(schema, 'object')),
    ofItem: Array.isArray(items) ? (index) => preparationOf(items[index]) : ofItems,
  }
}

function readObject(schema: SchemaNode): ObjectPreparation {
  const declared = Object.entries(propertiesOf(schema))
  const required = new Set(requiredOf(schema))
  return {
    properties: new Map(declared.map(([name, node]) => [name, { isRequired: required.has(name), of: later(node) }])),
    defaults: declared.filter(([, node]) => hasDefault(node)).map(([name, node]) => [name, node.default]),
    isClosed: isClosedIfStrict(schema) && isSchemaNode(schema.properties),
    isClosedIfStrict: isClosedIfStrict(schema),
    ofAdditional: later(schema.patternProperties === undefined ? schema.additionalProperties : undefined),
  }
}

/** Not before it is asked for: a schema may hold itself. */
function later(schema: unknown): () => Preparation {
  let preparation: Preparation | undefined
  return () => {
    preparation ??= preparationOf(schema)
    return preparation
  }
}

const COMPOSED = ['allOf', 'anyOf', 'oneOf', '$ref', 'if', 'unevaluatedProperties']

/** A schema that says `additionalProperties` decides itself; where schemas are combined, no one of them knows all. */
export function isClosedIfStrict(schema: SchemaNode): boolean {
  if (schema.additionalProperties !== undefined || schema.patternProperties !== undefined) return false
  return schema.type === 'object' && !COMPOSED.some((keyword) => keyword in schema)
}

function takesNull(schema: SchemaNode, types: ReadonlySet<string>): boolean {
  if (schema.nullable === true) return true
  if (types.size > 0) return types.has('null')
  if (Array.isArray(schema.enum)) return schema.enum.includes(null)
  return 'const' in schema ? schema.const === null : true
}
