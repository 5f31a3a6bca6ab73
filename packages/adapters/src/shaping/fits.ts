/** Checks quickly whether a value may match a schema. Used to choose one of several schemas, not for validation. */
import { isEqual, isSchema, type SchemaNode, toList, typeOfValue } from './schema/keywords.ts'
import { resolveReference } from './schema/references.ts'

/** Maximum depth of the check, which is enough to distinguish choices. */
const MAX_LEVELS = 4

/** Compares types, choices, limits, and required and forbidden properties. Ignores all other keywords. */
export function fits(value: unknown, schema: unknown, root: SchemaNode, level = 0): boolean {
  if (!isSchema(schema) || level > MAX_LEVELS) return schema !== false
  if (schema.$ref !== undefined) return fits(value, resolveReference(schema.$ref, root, undefined)?.node, root, level + 1)
  if (value === null && schema.nullable === true) return true
  if (schema.type !== undefined && !toList(schema.type).some((type) => isOfType(value, String(type).toLowerCase()))) return false
  if (schema.const !== undefined && !isEqual(schema.const, value)) return false
  if (Array.isArray(schema.enum) && !schema.enum.some((choice) => isEqual(choice, value))) return false
  if (!isWithin(value, schema)) return false
  for (const choices of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(choices) && !choices.some((choice) => fits(value, choice, root, level + 1))) return false
  }
  if (Array.isArray(schema.allOf) && !schema.allOf.every((part) => fits(value, part, root, level + 1))) return false
  if (Array.isArray(value)) return !isSchema(schema.items) || value.every((item) => fits(item, schema.items, root, level + 1))
  return !isSchema(value) || fitsObject(value, schema, root, level)
}

function fitsObject(value: SchemaNode, schema: SchemaNode, root: SchemaNode, level: number): boolean {
  const properties = isSchema(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  if (!required.every((name) => Object.hasOwn(value, name))) return false
  const others = isSchema(schema.additionalProperties) ? schema.additionalProperties : schema.additionalProperties !== false
  return Object.entries(value).every(([name, one]) =>
    fits(one, Object.hasOwn(properties, name) ? properties[name] : others, root, level + 1),
  )
}

function isWithin(value: unknown, schema: SchemaNode): boolean {
  const [of, size] = sizeOf(value)
  if (of === undefined) return true
  const { [`min${of}`]: least, [`max${of}`]: most } = schema
  return !(typeof least === 'number' && size < least) && !(typeof most === 'number' && size > most)
}

/**
 * Returns the suffix of the keywords that limit the value's size, such as `Length` for `minLength` and `maxLength`, and the size.
 */
function sizeOf(value: unknown): readonly [string | undefined, number] {
  if (typeof value === 'number') return ['imum', value]
  if (typeof value === 'string') return ['Length', [...value].length]
  if (Array.isArray(value)) return ['Items', value.length]
  return isSchema(value) ? ['Properties', Object.keys(value).length] : [undefined, 0]
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  return typeOfValue(value) === type
}
