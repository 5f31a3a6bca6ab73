/** Rejects a schema at definition if it would otherwise fail at its first use. */
import { assertSafePatterns } from './pattern.ts'
import { foreignVendorOf, type SchemaNode } from './schema.ts'
import { assertKeywords } from './validators/assert-keywords.ts'
import { isMisused, missedKinds } from './validators/keyword-kinds.ts'
import { assertReferences, REFERENCES } from './validators/references/references.ts'
import { isDataKeyword, subschemasOf } from './validators/subschemas.ts'
import { isTypeName } from './validators/type-names.ts'

/**
 * Throws `invalid_definition` for a schema that can't work. This covers unknown types, keywords with a value that they don't allow,
 * references that don't resolve, unsafe patterns, schemas that contain themselves, other libraries' schemas, and properties without a
 * schema. Neither loads nor compiles a validator.
 */
export function assertSound(schema: object, owner: string, field: string): void {
  if (objectsLeft(schema, FEW_OBJECTS) > 0) return
  const subject = `${owner}: ${field}`
  const subschemas = subschemasOf(schema, subject)
  assertKeywords(subschemas, subject)
  if (subschemas.some(({ node }) => REFERENCES.some((keyword) => node[keyword] !== undefined))) assertReferences(schema, subject)
  assertSafePatterns(schema, owner, field)
}

const FEW_OBJECTS = 100
const CLOSER: ReadonlySet<string> = new Set([
  'pattern',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
  ...REFERENCES,
])

/**
 * The fast path, which is enough for nearly all schemas. Returns `allowed` minus the number of objects in the schema. Returns 0 if the
 * schema needs a closer look, because it may contain a pattern, a reference, a wrong keyword, itself, or a value that isn't a schema.
 * Allocates no memory, because a program may define a thousand tools before it calls the first one.
 */
function objectsLeft(node: object, allowed: number, isMap = false): number {
  let left = allowed - 1
  for (const key in node) {
    if (left === 0 || CLOSER.has(key)) return 0
    const child = (node as SchemaNode)[key]
    if (!isMap && (missedKinds(key, child) !== undefined || isMisused(key, child))) return 0
    if (!isMap && key === 'type' && !isTypeName(child)) return 0
    if (typeof child === 'object' && child !== null) {
      if (Array.isArray(child) && !isMap && isDataKeyword(key)) continue
      left = foreignVendorOf(child) === undefined ? objectsLeft(child, left, holdsSchemas(key, child)) : 0
    } else if (typeof child === 'function' || (isMap && typeof child !== 'boolean')) return 0
  }
  return left
}

/**
 * True if each member must be a schema. Treats a list in an unknown keyword in the same way, although it may contain anything. The closer
 * look then decides.
 */
function holdsSchemas(key: string, child: object): boolean {
  return key === 'properties' || (key !== 'type' && Array.isArray(child))
}
