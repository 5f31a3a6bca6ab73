/**
 * Lists a schema's subschemas. Doesn't recurse, because a schema from elsewhere may be deep. The schema may contain the same object several
 * times.
 */

import { ToolError } from '../../errors.ts'
import { MAX_DEPTH } from '../../faults.ts'
import { pointerSegment } from '../pointer.ts'
import { foreignVendorOf, isSchemaNode, type SchemaNode } from '../schema.ts'

export interface Subschema {
  readonly node: SchemaNode
  /** JSON pointer to the node. Empty for the schema itself. */
  readonly pointer: string
  /** False below an unknown keyword, because its content may be a schema or anything else. */
  readonly isKnown: boolean
}

/** Keywords that contain data, not a schema. For instance, an example may have a member named `pattern`. */
const DATA = new Set(['const', 'enum', 'default', 'examples', 'example', 'required', 'dependentRequired'])

/** True for keywords that contain data, and for extensions. An extension may contain anything, even a `pattern` with another meaning. */
export function isDataKeyword(keyword: string): boolean {
  return DATA.has(keyword) || keyword.startsWith('x-')
}

/** Keywords that map names to schemas. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])

/** Maps in which each member must be a schema. Excludes `$defs`, where a member may be anything until a reference points to it. */
const FULL_MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas'])

export function isMapKeyword(keyword: string): boolean {
  return MAPS.has(keyword)
}

/** Keywords that contain a schema or a list of schemas. */
export const APPLICATORS = new Set([
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'],
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
])

/** True for keywords whose schemas apply only where a reference points to them. */
export function isDefinitions(keyword: string): boolean {
  return keyword === '$defs' || keyword === 'definitions'
}

export interface Child {
  readonly child: SchemaNode
  readonly keyword: string
  /** JSON pointer that starts at the node, without the first slash. */
  readonly at: string
}

/** Returns the subschemas directly below a node. Ignores unknown keywords. */
export function childrenOf(node: SchemaNode): readonly Child[] {
  const children: Child[] = []
  for (const keyword in node) {
    const value = node[keyword]
    const isMap = isMapKeyword(keyword)
    if (typeof value !== 'object' || value === null || !(isMap || APPLICATORS.has(keyword))) continue
    if (!isMap && isSchemaNode(value)) children.push({ child: value, keyword, at: keyword })
    else
      for (const [key, child] of Object.entries(value))
        if (isSchemaNode(child)) children.push({ child, keyword, at: `${keyword}/${pointerSegment(key)}` })
  }
  return children
}

interface Place {
  readonly value: object
  readonly pointer: string
  readonly isMap: boolean
  /** True if each member must be a schema. */
  readonly hasSchemas: boolean
  /** False below an unknown keyword, because its content may be a schema or anything else. */
  readonly isKnown: boolean
  readonly parent: Place | undefined
  readonly depth: number
}

/**
 * Returns the schema and all of its subschemas, each object once. Includes the content of unknown keywords, because a `$ref` may point
 * there. Throws `invalid_definition` for a schema that contains itself or is nested deeper than 512 levels, because no validator supports
 * such schemas.
 */
export function subschemasOf(schema: object, subject = 'Invalid schema: it'): readonly Subschema[] {
  const found: Subschema[] = []
  const seen = new Set<object>()
  const stack: Place[] = [
    { value: schema, pointer: '', isMap: false, hasSchemas: false, isKnown: true, parent: undefined, depth: 0 },
  ]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { value, pointer, isMap, hasSchemas, isKnown, depth } = top
    if (depth > MAX_DEPTH)
      throw new ToolError('invalid_definition', `${subject} is nested deeper than ${MAX_DEPTH} levels. Flatten it, or use $ref.`)
    if (seen.has(value)) {
      if (isInsideItself(top)) throw new ToolError('invalid_definition', `${subject} contains itself at ${pointer}. Use $ref.`)
      continue
    }
    seen.add(value)
    const isList = Array.isArray(value)
    if (!isMap && !isList) found.push({ node: value as SchemaNode, pointer, isKnown })
    for (const [key, child] of Object.entries(value)) {
      const isData = !isMap && !isList && isDataKeyword(key)
      if (isData) continue
      const isChildKnown = isKnown && (isMap || isList || isMapKeyword(key) || APPLICATORS.has(key))
      const vendor = isChildKnown ? foreignVendorOf(child) : undefined
      if (vendor !== undefined) throw foreign(subject, vendor, `${pointer}/${pointerSegment(key)}`)
      if (typeof child !== 'object' || child === null) {
        if (isChildKnown && hasSchemas && typeof child !== 'boolean')
          throw missing(subject, child, `${pointer}/${pointerSegment(key)}`)
        continue
      }
      const isKeyword = !isMap && !isList
      const place = { pointer: `${pointer}/${pointerSegment(key)}`, isMap: isKeyword && isMapKeyword(key), isKnown: isChildKnown }
      const isFull = isKeyword && (Array.isArray(child) ? APPLICATORS.has(key) : FULL_MAPS.has(key))
      stack.push({ ...place, hasSchemas: isFull, value: child, parent: top, depth: depth + 1 })
    }
  }
  return found
}

function foreign(subject: string, vendor: string, pointer: string): ToolError {
  const fix = 'Write it with TypeBox, or use its JSON Schema: Type.Unsafe(schema).'
  return new ToolError('invalid_definition', `${subject} contains a schema from ${vendor} at ${pointer}. ${fix}`)
}

function missing(subject: string, found: unknown, pointer: string): ToolError {
  const fix = 'Write a schema, e.g. Type.String() or { type: "string" }.'
  return new ToolError(
    'invalid_definition',
    `${subject} contains a value of type ${found === null ? 'null' : typeof found} instead of a schema at ${pointer}. ${fix}`,
  )
}

function isInsideItself({ value, parent }: Place): boolean {
  for (let place = parent; place !== undefined; place = place.parent) if (place.value === value) return true
  return false
}
