/** The canonical request form of a tool. */
import { isSchemaNode, propertiesOf, requiredOf, type SchemaNode } from './schema.ts'
import type { Tool } from './tool.ts'

/** What a model is told about a tool, in the canonical form; a wire format turns it into what its API takes. */
export interface ToolSpec {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: Readonly<Record<string, unknown>>
  }
}

const cache = new WeakMap<Tool, ToolSpec>()

/** The tool's spec; one object per tool, made at first use. A property with a default is not required on the wire. */
export function toSpec(tool: Tool): ToolSpec {
  let spec = cache.get(tool)
  if (spec === undefined) {
    const { name, description, args } = tool
    spec = { type: 'function', function: { name, description, parameters: toParameters(args) as Record<string, unknown> } }
    cache.set(tool, spec)
  }
  return spec
}

/** A copy in which every object schema has `properties` and requires only what has no default. */
function toParameters(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toParameters)
  if (!isSchemaNode(schema)) return schema
  const copy: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') {
      copy.properties = Object.fromEntries(Object.entries(propertiesOf(schema)).map(([name, node]) => [name, toParameters(node)]))
    } else if (SUBSCHEMAS.has(keyword)) copy[keyword] = toParameters(value)
    else copy[keyword] = value
  }
  if (schema.type === 'object') withRequired(copy, schema)
  return copy
}

const SUBSCHEMAS = new Set(['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'])

function withRequired(copy: Record<string, unknown>, schema: SchemaNode): void {
  copy.properties ??= {}
  const required = requiredOf(schema)
  if (required.length > 0) copy.required = required
  else delete copy.required
}
