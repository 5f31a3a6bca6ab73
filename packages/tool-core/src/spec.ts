/** The canonical request form of a tool. */
import { isSchemaNode, propertiesOf, requiredOf, type SchemaNode, soleMember } from './schema.ts'
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

/**
 * A copy in which every object schema has `properties` and requires only what has no default. Where defaults are not
 * filled at validation (`filled` is false: in a choice between objects), what is required stays required.
 */
function toParameters(schema: unknown, filled = true): unknown {
  if (Array.isArray(schema)) return schema.map((node) => toParameters(node, filled))
  if (!isSchemaNode(schema)) return schema
  const copy: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') {
      const nodes = Object.entries(propertiesOf(schema)).map(([name, node]) => [name, toParameters(node, filled)])
      copy.properties = Object.fromEntries(nodes)
    } else if (UNIONS.has(keyword) && Array.isArray(value)) copy[keyword] = toMembers(schema, value, filled)
    else if (keyword === 'items' || keyword === 'additionalProperties') copy[keyword] = toParameters(value, filled)
    else copy[keyword] = value
  }
  if (schema.type === 'object') withRequired(copy, schema, filled)
  return copy
}

const UNIONS = new Set(['anyOf', 'oneOf', 'allOf'])

function toMembers(schema: SchemaNode, members: readonly unknown[], filled: boolean): unknown[] {
  const sole: unknown[] = [soleMember(schema, 'object'), soleMember(schema, 'array')]
  return members.map((member) => toParameters(member, filled && sole.includes(member)))
}

function withRequired(copy: Record<string, unknown>, schema: SchemaNode, filled: boolean): void {
  copy.properties ??= {}
  if (!filled) return
  const required = requiredOf(schema)
  if (required.length > 0) copy.required = required
  else delete copy.required
}
