/** The TypeScript types of TypeBox schemas, and functions that read JSON Schema nodes. */
import type { Static, TObject, TProperties } from 'typebox'
import { isEqual } from './validators/equal.ts'

/** The type of values that match an object schema with these properties. */
export type ValueOf<Properties extends TProperties> = Static<TObject<Properties>>

/** A JSON Schema node. Any keyword may be missing, unknown, or of the wrong type. */
export type SchemaNode = { readonly [keyword: string]: unknown }

export function isSchemaNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the property schemas of an object schema. Empty if the schema declares no properties. */
export function propertiesOf(schema: SchemaNode): Readonly<Record<string, SchemaNode>> {
  return isSchemaNode(schema.properties) ? (schema.properties as Record<string, SchemaNode>) : {}
}

/** Returns the names in `required`. Leaves out properties with a default, which are optional. */
export function requiredOf(schema: SchemaNode): readonly string[] {
  if (!Array.isArray(schema.required)) return []
  const properties = propertiesOf(schema)
  return schema.required.filter((name): name is string => typeof name === 'string' && !hasDefault(properties[name]))
}

/** The `vendor` in the Standard Schema interface of a tool's args. */
export const VENDOR = '@x/tool-core'

/**
 * Returns the library of a schema that isn't JSON Schema, such as zod. For a schema from an older version of a library, returns the
 * schema's class. Such schemas may look like JSON Schema and would be misread.
 */
export function foreignVendorOf(value: unknown): string | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  const { '~standard': standard } = value as { readonly '~standard'?: unknown }
  if (standard === undefined) {
    if (typeof value === 'object' && isInstance(value)) return classOf(value)
    return isCopyOfZod(value) ? 'zod' : undefined
  }
  const { vendor } = (standard ?? {}) as { readonly vendor?: unknown }
  return vendor === undefined || vendor === VENDOR ? undefined : String(vendor)
}

/** True for a copy of a zod schema without `~standard`. `Type.Optional` and spreads copy only the schema's own properties. */
function isCopyOfZod(value: object): boolean {
  const { _zod, def, type } = value as { readonly _zod?: unknown; readonly def?: unknown; readonly type?: unknown }
  return _zod !== undefined || (typeof def === 'object' && def !== null && typeof type === 'string')
}

/** True for an object that is neither an array nor a plain object. A plain object from another realm counts as plain. */
export function isInstance(value: object): boolean {
  if (Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return false
  return Object.getPrototypeOf(prototype) !== null
}

function classOf(instance: object): string {
  const name: unknown = (instance.constructor as { readonly name?: unknown } | undefined)?.name
  return typeof name === 'string' && name !== '' ? `the class ${name}` : 'a class'
}

/** True if a schema has a default that its types and its `enum` allow. Generated schemas often have `default: null` for a string. */
export function hasDefault(schema: unknown): boolean {
  if (!isSchemaNode(schema) || schema.default === undefined || !isOfType(schema.default, schema)) return false
  return !Array.isArray(schema.enum) || schema.enum.some((choice) => isEqual(choice, schema.default))
}

/** True if a schema allows the type of a value. */
export function isOfType(value: unknown, schema: SchemaNode): boolean {
  const types = typesOf(schema)
  return types.length === 0 || types.includes(typeOfValue(value)) || (types.includes('integer') && Number.isInteger(value))
}

export function typeOfValue(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/**
 * Returns the JSON types that a node allows through its `type` keyword or through a union of plain types. Empty if the node allows any
 * type.
 */
export function typesOf(schema: SchemaNode): readonly string[] {
  const own = typeof schema.type === 'string' ? [schema.type] : schema.type
  if (Array.isArray(own)) return schema.nullable === true ? [...own, 'null'] : own
  const union = schema.anyOf ?? schema.oneOf
  if (!Array.isArray(union)) return []
  const types = union.map((member) => (isSchemaNode(member) ? typesOf(member) : []))
  return types.some((list) => list.length === 0) ? [] : types.flat()
}

/**
 * Returns X for `Type.Union([X, Type.Null()])`: the only member of a union of plain types that allows objects, or arrays. Returns any other
 * schema unchanged.
 */
export function soleMember(schema: SchemaNode, type: 'object' | 'array'): SchemaNode {
  const union = schema.anyOf ?? schema.oneOf
  if (schema.type !== undefined || !Array.isArray(union) || typesOf(schema).length === 0) return schema
  const [member, another] = union.filter((candidate) => typesOf(candidate).includes(type))
  return member?.type === type && another === undefined ? member : schema
}

/** Returns a copy of a value that has only the properties declared by an object schema. */
export function declaredBy(schema: object, value: object): object {
  const properties = propertiesOf(schema as SchemaNode)
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)))
}

/** Keywords that don't restrict undeclared properties. */
const SILENT = new Set([
  ...['type', 'properties', 'required', 'title', 'description', 'default', 'examples', 'nullable', 'deprecated'],
  ...['readOnly', 'writeOnly', '$id', '$schema', '$defs', 'definitions', '$comment'],
])

/**
 * True if a strict tool may refuse undeclared properties in this object. False if a keyword such as `additionalProperties`, `anyOf` or
 * `minProperties` may need them.
 */
export function isClosedIfStrict(schema: SchemaNode): boolean {
  if (schema.type !== 'object') return false
  const isSilent = (keyword: string) => SILENT.has(keyword) || keyword.startsWith('x-') || schema[keyword] === undefined
  return Object.keys(schema).every(isSilent) && isDeclared(schema.required, propertiesOf(schema))
}

function isDeclared(required: unknown, properties: object): boolean {
  return !Array.isArray(required) || required.every((name) => Object.hasOwn(properties, name))
}
