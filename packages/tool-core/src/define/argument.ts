/** Lists a tool's arguments, for prompts, tables and documentation. */

import { ToolError } from '../errors.ts'
import { memberOf, targetOf } from '../schema/pointer.ts'
import {
  hasDefault,
  isClosedIfStrict,
  isSchemaNode,
  propertiesOf,
  requiredOf,
  type SchemaNode,
  typeOfValue,
} from '../schema/schema.ts'
import { isEqual } from '../schema/validators/equal.ts'
import { isToolName } from './name.ts'

/** An argument in a handwritten list. */
export interface StatedArgument {
  readonly name: string
  /** The type as text: `integer`, `string[]`, `number | null`, `"a" | "b"`. */
  readonly type: string
  /** Description of the argument. Empty if the schema has none. */
  readonly description: string
  /** True if a call must pass the argument. Default: false for an argument with a default, otherwise true. */
  readonly required?: boolean | undefined
  readonly default?: unknown
}

export interface ToolArgument extends StatedArgument {
  /** False for an optional property and for a property with a default. */
  readonly required: boolean
}

const cache = new WeakMap<object, readonly ToolArgument[]>()

/** Returns the arguments that an object schema declares, in the schema's order. Computed once per schema object. */
export function toArguments(schema: object): readonly ToolArgument[] {
  const known = cache.get(schema)
  if (known !== undefined) return known
  const list = Object.freeze(derive(schema as SchemaNode))
  cache.set(schema, list)
  return list
}

/**
 * Checks a handwritten list of arguments. Throws `invalid_definition` if the list contradicts the schema, because the model would then pass
 * an argument that the tool never receives, or omit a required one. A type may be worded freely, but if it names a JSON type, the schema
 * must allow that type. A description may be reworded, but not left out.
 */
export function readArguments(stated: readonly StatedArgument[], schema: object, owner: string): readonly ToolArgument[] {
  const list = stated.map((argument) => ({ ...argument, required: argument.required ?? argument.default === undefined }))
  const declared = new Map<string, ToolArgument>()
  for (const argument of toArguments(schema)) declared.set(argument.name, argument)
  const fault = (name: string, words: string) =>
    new ToolError('invalid_definition', `${owner}: arguments and args disagree: "${name}" ${words}. ${FIX}`)
  const listed = new Set<string>()
  for (const { name, type, description, required, default: value } of list) {
    const own = declared.get(name)
    if (listed.has(name)) throw fault(name, 'is listed twice')
    listed.add(name)
    if (own === undefined && isClosedIfStrict(schema as SchemaNode)) {
      throw fault(name, `is not declared by args, which declares ${[...declared.keys()].join(', ') || 'no properties'}`)
    }
    if (own === undefined && !isToolName(name)) throw fault(name, 'is not a valid argument name. Use letters, digits and "_"')
    if (own === undefined) continue
    if (description.trim() === '' && own.description !== '') throw fault(name, 'has a description in args, but not in the list')
    if (required !== own.required) throw fault(name, `is ${own.required ? 'required' : 'optional'} in args`)
    if (contradicts(type, own.type)) throw fault(name, `has type ${own.type} in args`)
    if (value !== undefined && !isEqual(value, own.default))
      throw fault(name, `has ${own.default === undefined ? 'no default' : `the default ${JSON.stringify(own.default)}`} in args`)
  }
  for (const { name, required } of declared.values())
    if (required && !listed.has(name)) throw fault(name, 'is missing from the list')
  return Object.freeze(list)
}

const FIX = 'Correct the list, or omit it to derive it from args.'

/** True if both texts name JSON types, or arrays of them, and no value has both types. False for any other wording. */
function contradicts(written: string, own: string): boolean {
  const [items, ownItems] = [itemOf(written), itemOf(own)]
  if (items !== undefined && ownItems !== undefined) return contradicts(items, ownItems)
  const types = items === undefined ? written : 'array'
  if (!JSON_TYPES.has(types)) return false
  const parts = ownItems === undefined ? own.split(' | ') : ['array']
  const owned = parts.flatMap(typesOfPart)
  return owned.length > 0 && !owned.includes('any') && !owned.includes(types)
}

/**
 * Returns the item type of an array, such as `string` for `string[]`. Undefined for any other type, including a union such as `string |
 * string[]`.
 */
function itemOf(type: string): string | undefined {
  const [, union, one] = /^(?:\((.*)\)|([^|]*))\[\]$/.exec(type) ?? []
  return union ?? one
}

/**
 * Returns the JSON types that are meant by one part of a union such as `string | null`. A part is a type name, an array or a literal. A
 * string literal that contains ` | ` counts as any type.
 */
function typesOfPart(part: string): readonly string[] {
  if (JSON_TYPES.has(part)) return [part]
  if (/[\])]$/.test(part)) return ['array']
  try {
    const value: unknown = JSON.parse(part)
    return Number.isInteger(value) ? ['integer', 'number'] : [typeOfValue(value)]
  } catch {
    return ['any']
  }
}

const JSON_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

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

/**
 * Resolves a JSON pointer into the arguments' schema, or the name of a definition in `$defs`, which `Type.Cyclic` writes without a pointer.
 */
function resolveRef(ref: string, schema: SchemaNode, root: SchemaNode): unknown {
  return ref.startsWith('#/') ? targetOf(ref, root) : (memberOf(schema.$defs, ref) ?? memberOf(root.$defs, ref))
}
