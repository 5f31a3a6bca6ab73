/** A tool's args as the JSON Schema that a model is shown. */
import { isSchemaNode, propertiesOf, requiredOf, type SchemaNode, soleMember } from './schema.ts'

/** A copy in which every object schema has `properties` and requires only what has no default. */
export function toParameters(args: object): Record<string, unknown> {
  return toNode(args, true) as Record<string, unknown>
}

/** Where defaults are not filled at validation (`filled` is false: in a choice between objects), what is required stays required. */
function toNode(schema: unknown, filled: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((node) => toNode(node, filled))
  if (!isSchemaNode(schema)) return schema
  const copy: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') {
      const nodes = Object.entries(propertiesOf(schema)).map(([name, node]) => [name, toNode(node, filled)])
      copy.properties = Object.fromEntries(nodes)
    } else if (UNIONS.has(keyword) && Array.isArray(value)) copy[keyword] = toMembers(schema, value, filled)
    else if (keyword === 'items' || keyword === 'additionalProperties') copy[keyword] = toNode(value, filled)
    else copy[keyword] = value
  }
  if (schema.type === 'object') withRequired(copy, schema, filled)
  return copy
}

const UNIONS = new Set(['anyOf', 'oneOf', 'allOf'])

function toMembers(schema: SchemaNode, members: readonly unknown[], filled: boolean): unknown[] {
  const sole: unknown[] = [soleMember(schema, 'object'), soleMember(schema, 'array')]
  return members.map((member) => toNode(member, filled && sole.includes(member)))
}

function withRequired(copy: Record<string, unknown>, schema: SchemaNode, filled: boolean): void {
  copy.properties ??= {}
  if (!filled) return
  const required = requiredOf(schema)
  if (required.length > 0) copy.required = required
  else delete copy.required
}
