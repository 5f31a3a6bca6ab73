/** A tool's arguments as a flat list, for prompts, tables and documentation. */
import { hasDefault, isSchemaNode, propertiesOf, requiredOf, type SchemaNode } from './schema.ts'

export interface ToolArgument {
  readonly name: string
  /** Rendered type: `integer`, `string[]`, `number | null`, `"a" | "b"`. */
  readonly type: string
  /** Empty when the schema says nothing. */
  readonly description: string
  /** False when the schema has a default. */
  readonly required: boolean
  readonly default?: unknown
}

const cache = new WeakMap<object, readonly ToolArgument[]>()

/** The arguments that an object schema declares, in its order; computed once per schema object. */
export function toArguments(schema: object): readonly ToolArgument[] {
  const known = cache.get(schema)
  if (known !== undefined) return known
  const list = Object.freeze(derive(schema as SchemaNode))
  cache.set(schema, list)
  return list
}

function derive(schema: SchemaNode): readonly ToolArgument[] {
  const required = new Set(requiredOf(schema))
  return Object.entries(propertiesOf(schema)).map(([name, property]) =>
    Object.freeze({
      name,
      type: renderType(property, schema, 0),
      description: typeof property.description === 'string' ? property.description : '',
      required: required.has(name),
      ...(hasDefault(property) && { default: property.default }),
    }),
  )
}

function renderType(schema: unknown, root: SchemaNode, depth: number): string {
  if (!isSchemaNode(schema) || depth > 8) return 'any'
  if (typeof schema.$ref === 'string') return renderType(resolveRef(schema.$ref, schema, root), root, depth + 1)
  if ('const' in schema) return JSON.stringify(schema.const) ?? 'any'
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (Array.isArray(union)) return [...new Set(union.map((member) => renderType(member, root, depth + 1)))].join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => renderType({ ...schema, type }, root, depth + 1)).join(' | ')
  if (schema.type === 'array') return renderArray(schema.items, root, depth)
  return typeof schema.type === 'string' ? schema.type : 'any'
}

function renderArray(items: unknown, root: SchemaNode, depth: number): string {
  if (Array.isArray(items)) return `[${items.map((item) => renderType(item, root, depth + 1)).join(', ')}]`
  const item = renderType(items, root, depth + 1)
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`
}

/** A JSON pointer into the arguments' schema, or a name among `$defs` (as `Type.Cyclic` writes it). */
function resolveRef(ref: string, schema: SchemaNode, root: SchemaNode): unknown {
  if (!ref.startsWith('#/')) return member(schema.$defs, ref) ?? member(root.$defs, ref)
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => member(node, key.replace(/~1/g, '/').replace(/~0/g, '~')), root)
}

function member(node: unknown, key: string): unknown {
  return isSchemaNode(node) && Object.hasOwn(node, key) ? node[key] : undefined
}
