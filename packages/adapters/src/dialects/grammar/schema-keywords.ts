/** Reads the JSON Schema keywords that matter for a grammar: types, listed values, properties and lengths. */
import { isRecord } from '../../is-record.ts'

export type SchemaNode = Readonly<Record<string, unknown>>

/** Keywords that don't restrict a value. `nullable` even allows more values. */
const BINDS_NOTHING = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'nullable'],
  ...['$id', '$schema', '$comment', '$defs', 'definitions'],
])

/** Keywords that restrict only values of one type. The grammar for that type handles them. */
export const OF_ONE_TYPE = [
  ...['minLength', 'maxLength', 'items', 'prefixItems', 'minItems', 'maxItems'],
  ...['properties', 'required', 'additionalProperties'],
]

/** Maximum length limit in a grammar. Higher limits are omitted, because a server would refuse such large grammars. */
const MOST_REPEATED = 256

/** Returns the keywords of a schema that restrict a value, except those in `held`, which the grammar expresses. */
export function keywordsBeside(schema: SchemaNode, held: readonly string[]): readonly string[] {
  return Object.keys(schema).filter((keyword) => {
    if (keyword === 'additionalProperties' && schema[keyword] === true) return false
    if (keyword === 'properties' && !hasProperties(schema)) return false
    return !BINDS_NOTHING.has(keyword) && !held.includes(keyword)
  })
}

export function hasProperties({ properties }: SchemaNode): boolean {
  return isRecord(properties) && Object.keys(properties).length > 0
}

export function typesOf(schema: SchemaNode): readonly string[] {
  const types = [schema.type].flat().filter((type) => typeof type === 'string')
  return schema.nullable === true && types.length > 0 && !types.includes('null') ? [...types, 'null'] : types
}

/** Returns true if a value has one of the types, or if there are no types. */
export function fitsTypes(value: unknown, types: readonly string[]): boolean {
  if (types.length === 0) return true
  if (value === null) return types.includes('null')
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value === 'number') return types.includes('number') || (Number.isInteger(value) && types.includes('integer'))
  return types.includes(typeof value)
}

/** Returns the values listed by `const` or `enum`. */
export function listedValues(schema: SchemaNode): readonly unknown[] | undefined {
  if ('const' in schema) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : undefined
}

/** Returns a length limit, or undefined if a grammar can't express it. */
export function heldLength(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_REPEATED ? value : undefined
}

export function isAboveZero({ minimum }: SchemaNode): boolean {
  return minimum === 0
}
