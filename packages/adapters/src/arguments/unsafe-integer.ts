/** Integers that a JavaScript number does not hold exactly, where a schema asks for an integer. */

/** Looks into properties, items and the members of unions. The value is known to be of bounded depth. */
export function hasUnsafeInteger(schema: unknown, value: unknown): boolean {
  if (!isNode(schema)) return false
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) && asksForInteger(schema)
  if (!isNode(value)) return false
  if (membersOf(schema).some((member) => hasUnsafeInteger(member, value))) return true
  if (Array.isArray(value)) return value.some((item) => hasUnsafeInteger(schema.items, item))
  const properties = isNode(schema.properties) ? schema.properties : {}
  return Object.keys(value).some((key) =>
    hasUnsafeInteger(Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties, value[key]),
  )
}

function asksForInteger(schema: Record<string, unknown>): boolean {
  if (schema.type === 'integer' || (Array.isArray(schema.type) && schema.type.includes('integer'))) return true
  return membersOf(schema).some((member) => isNode(member) && asksForInteger(member))
}

function membersOf(schema: Record<string, unknown>): readonly unknown[] {
  return [schema.anyOf, schema.oneOf, schema.allOf].flatMap((members) => (Array.isArray(members) ? members : []))
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
