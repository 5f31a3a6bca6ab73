/** Every schema inside a schema, without recursion: schemas from elsewhere may be deep, shared or circular. */
import { isSchemaNode, type SchemaNode } from '../schema.ts'

export interface Subschema {
  readonly node: SchemaNode
  /** JSON pointer of the node; empty for the schema itself. */
  readonly pointer: string
}

/** Keywords whose value is data, not a schema: an argument may be called `pattern`, and have an example. */
const DATA = new Set(['const', 'enum', 'default', 'examples', 'example', 'required', 'dependentRequired'])
/** Keywords whose value maps free names to schemas. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])

/** The schema and all below it, each object once; what an unknown keyword holds counts, since a `$ref` may point there. */
export function subschemasOf(schema: object): readonly Subschema[] {
  const found: Subschema[] = []
  const seen = new Set<unknown>()
  const stack: { readonly value: unknown; readonly pointer: string; readonly isMap: boolean }[] = []
  const push = (value: unknown, pointer: string, isMap: boolean) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    stack.push({ value, pointer, isMap })
  }
  push(schema, '', false)
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { value, pointer, isMap } = top
    const isList = Array.isArray(value)
    if (!isMap && !isList && isSchemaNode(value)) found.push({ node: value, pointer })
    for (const [key, child] of Object.entries(value as object)) {
      if (isMap || isList) push(child, `${pointer}/${pointerSegment(key)}`, false)
      else if (!DATA.has(key)) push(child, `${pointer}/${pointerSegment(key)}`, MAPS.has(key))
    }
  }
  return found
}

/** A key as a part of a JSON pointer. */
export function pointerSegment(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

/** The keys that a JSON pointer names. */
export function segmentsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}
