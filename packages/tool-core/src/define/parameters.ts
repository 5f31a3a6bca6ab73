/** Converts a tool's args to the JSON Schema that the model receives. */
import { isClosedIfStrict, isSchemaNode, propertiesOf, requiredOf, type SchemaNode, soleMember } from '../schema/schema.ts'

/**
 * Returns a copy in which every object schema has `properties`, and properties with a default aren't required. For a strict tool, every
 * object schema gets `additionalProperties: false`, unless one of its keywords may need undeclared properties.
 */
export function toParameters(args: object, strict = false): Record<string, unknown> {
  return toNode(args, { filled: true, strict }) as Record<string, unknown>
}

interface Manner {
  /** False where defaults aren't filled in, such as in a union of objects. Properties with a default then stay in `required`. */
  readonly filled: boolean
  readonly strict: boolean
}

function toNode(schema: unknown, manner: Manner, isPart = false): unknown {
  if (Array.isArray(schema)) return schema.map((node) => toNode(node, manner))
  if (!isSchemaNode(schema)) return schema
  const copy: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') copy.properties = toMap(propertiesOf(schema), manner)
    else if (UNIONS.has(keyword) && Array.isArray(value)) copy[keyword] = toMembers(schema, keyword, value, manner)
    else if (PARTS.has(keyword)) copy[keyword] = toNode(value, manner)
    else if (manner.strict && DEFINITIONS.has(keyword) && isSchemaNode(value)) copy[keyword] = toMap(value, UNFILLED)
    else copy[keyword] = value
  }
  if (schema.type === 'object') withRequired(copy, schema, manner.filled)
  if (manner.strict && !isPart && isClosedIfStrict(schema)) copy.additionalProperties = false
  return copy
}

const UNIONS = new Set(['anyOf', 'oneOf', 'allOf'])
const PARTS = new Set(['items', 'prefixItems', 'additionalProperties'])
const DEFINITIONS = new Set(['$defs', 'definitions'])
const UNFILLED: Manner = { filled: false, strict: true }

function toMap(nodes: SchemaNode, manner: Manner): Record<string, unknown> {
  return Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, toNode(node, manner)]))
}

function toMembers(schema: SchemaNode, keyword: string, members: readonly unknown[], manner: Manner): unknown[] {
  const sole: unknown[] = [soleMember(schema, 'object'), soleMember(schema, 'array')]
  // A part of an intersection stays open, because it doesn't declare the properties of the other parts.
  const isPart = keyword === 'allOf'
  return members.map((member) => toNode(member, { ...manner, filled: manner.filled && sole.includes(member) }, isPart))
}

function withRequired(copy: Record<string, unknown>, schema: SchemaNode, filled: boolean): void {
  copy.properties ??= {}
  if (!filled) return
  const required = requiredOf(schema)
  if (required.length > 0) copy.required = required
  else delete copy.required
}
