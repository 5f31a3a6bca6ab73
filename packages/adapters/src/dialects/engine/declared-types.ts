/** Finds the JSON types that a schema allows, including those in unions and references. */
import { targetOf } from '@x/tool-core'
import { isRecord } from '../../is-record.ts'
import { typeOfValue } from '../../shaping/schema/keywords.ts'

type Node = Readonly<Record<string, unknown>>

export interface DeclaredTypes {
  readonly types: ReadonlySet<string>
  /** True if only strings are allowed, so that text is returned unchanged. */
  readonly isText: boolean
}

/** Maximum number of schema nodes to visit. Schemas may contain any number of references. */
const MAX_NODES = 256

/**
 * Collects the types in `type`, `enum`, `const`, `nullable`, unions and local `$ref`s. Without a `type`, `properties` and `items`
 * imply an object and a list. Empty if no type is declared. Maps type names of other languages (`float`, `dict`) to JSON types.
 */
export function declaredTypes(schema: unknown, root: unknown): DeclaredTypes {
  const types = new Set<string>()
  // A node with a type isn't followed further: its subschemas can only restrict that type.
  for (const node of reachable(schema, root, ({ type }) => type === undefined)) addTypes(node, types)
  return { types, isText: types.size === 1 && types.has('string') }
}

/** Returns the schema of a property. For an undeclared one, returns the schema in `additionalProperties`, if any. */
export function propertyOf(schema: unknown, root: unknown, key: string): unknown {
  const nodes = [...reachable(schema, root)]
  const declaring = nodes.find(({ properties }) => isRecord(properties) && Object.hasOwn(properties, key))
  if (declaring !== undefined) return (declaring.properties as Node)[key]
  return nodes.find(({ additionalProperties }) => isRecord(additionalProperties))?.additionalProperties
}

/** Returns the names of all declared properties. */
export function propertiesOf(schema: unknown, root: unknown): readonly string[] {
  return [...reachable(schema, root)].flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : []))
}

/** Returns true if the schema explicitly allows undeclared properties. */
export function allowsOthers(schema: unknown): boolean {
  const nodes = [...reachable(schema, schema)]
  return nodes.some(
    ({ additionalProperties, patternProperties }) => Boolean(additionalProperties) || patternProperties !== undefined,
  )
}

/** Returns the schema of the items of a list. */
export function itemsOf(schema: unknown, root: unknown): unknown {
  for (const { items } of reachable(schema, root)) if (items !== undefined) return items
  return undefined
}

/** Yields the schema, the members of its unions, and the targets of its references, each only once. */
function* reachable(schema: unknown, root: unknown, isOpen: (node: Node) => boolean = () => true): Generator<Node> {
  const seen = new Set<unknown>([schema])
  for (const node of seen) {
    if (!isRecord(node)) continue
    yield node
    if (!isOpen(node)) continue
    const refers = typeof node.$ref === 'string' ? [targetOf(node.$ref, root)] : []
    for (const member of [...refers, ...membersOf(node)]) if (seen.size < MAX_NODES) seen.add(member)
  }
}

function addTypes(node: Node, types: Set<string>): void {
  const { type, enum: values } = node
  if (node.nullable === true) types.add('null')
  for (const one of Array.isArray(type) ? type : [type]) {
    const known = TYPES.get(one)
    if (known !== undefined) types.add(known)
  }
  if (type !== undefined) return
  if (Array.isArray(values)) for (const value of values) types.add(typeOfValue(value))
  if ('const' in node) types.add(typeOfValue(node.const))
  if (isRecord(node.properties)) types.add('object')
  if (node.items !== undefined) types.add('array')
}

const WORDS = {
  string: ['string', 'str', 'text'],
  integer: ['integer', 'int', 'long'],
  number: ['number', 'float', 'double'],
  boolean: ['boolean', 'bool'],
  object: ['object', 'dict', 'map'],
  array: ['array', 'list', 'tuple'],
  null: ['null', 'none'],
}
const TYPES = new Map<unknown, string>(
  Object.entries(WORDS).flatMap(([type, words]) => words.map((word) => [word, type] as const)),
)

function membersOf(schema: Node): readonly unknown[] {
  return [schema.allOf, schema.anyOf, schema.oneOf].flatMap((union): readonly unknown[] => (Array.isArray(union) ? union : []))
}

/** Returns true if `keys` contains all declared properties, so that no more are expected. Returns false if none is declared. */
export function hasAllDeclared(schema: unknown, keys: ReadonlySet<string>): boolean {
  const declared = propertiesOf(schema, schema)
  return declared.length > 0 && declared.every((key) => keys.has(key))
}
