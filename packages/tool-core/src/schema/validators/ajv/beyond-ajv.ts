/** Finds schemas that AJV evaluates slowly or incorrectly. */
import type { SchemaNode } from '../../schema.ts'
import type { SchemaFacts } from '../check.ts'
import { isUnevaluated } from '../interpreter/evaluated.ts'

/**
 * True if the interpreter should evaluate the schema instead of AJV. AJV finds the anchor of a `$dynamicRef` by its name alone. For
 * `unevaluatedItems`, AJV ignores `contains`. For `unevaluatedProperties`, it ignores an `if` without `then` or `else`. It throws for some
 * invalid values, and refuses `nullable` without `type`, which generators for OpenAPI write. AJV also writes one function for the whole schema, which V8 compiles slowly and doesn't optimize if it is long. Finally,
 * it creates an error for each branch of a union that doesn't match.
 */
export function isBeyondAjv({ dynamic, nodes }: SchemaFacts): boolean {
  return nodes.length > MAX_PARTS || dynamic !== undefined || nodes.some(isBeyond)
}

function isBeyond(node: SchemaNode): boolean {
  return isUnevaluated(node) || isLargeUnion(node) || (node.nullable !== undefined && node.type === undefined)
}

/** Maximum number of parts of a schema for AJV. With more parts, its first check takes hundreds of milliseconds. */
const MAX_PARTS = 150
/** Maximum number of branches of a union for AJV. Interpreting a larger union is faster. */
const MAX_BRANCHES = 20

function isLargeUnion({ anyOf, oneOf }: SchemaNode): boolean {
  const union = anyOf ?? oneOf
  return Array.isArray(union) && union.length > MAX_BRANCHES
}
