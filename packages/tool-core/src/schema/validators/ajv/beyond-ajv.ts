/** Finds schemas that AJV evaluates slowly or wrongly. */
import type { SchemaNode } from '../../schema.ts'
import type { SchemaFacts } from '../check.ts'
import { isUnevaluated } from '../interpreter/evaluated.ts'
import { codeSizeOf } from './code-size.ts'

/**
 * True if the interpreter should evaluate the schema instead of AJV. AJV finds the anchor of a `$dynamicRef` by its name alone. For
 * `unevaluatedItems`, AJV ignores `contains`, and for `unevaluatedProperties`, an `if` without `then` or `else`. It throws for some invalid
 * values, and refuses `nullable` without `type`, which OpenAPI generators write. AJV also writes one function for the whole schema. If this
 * function is long, V8 compiles it slowly and doesn't optimize it. Finally, AJV creates an error for each branch of a union that doesn't
 * match.
 */
export function isBeyondAjv(facts: SchemaFacts): boolean {
  const { dynamic, nodes } = facts
  return nodes.length > MAX_PARTS || dynamic !== undefined || nodes.some(isBeyond) || codeSizeOf(facts, MAX_CODE) > MAX_CODE
}

function isBeyond(node: SchemaNode): boolean {
  return isUnevaluated(node) || isLargeUnion(node) || (node.nullable !== undefined && node.type === undefined)
}

/** Maximum number of parts in a schema for AJV. The first check of a larger schema would take hundreds of milliseconds. */
const MAX_PARTS = 150
/** Maximum number of characters of code, for the same reason. */
const MAX_CODE = 250_000
/** Maximum number of branches in a union for AJV. The interpreter is faster for a larger union. */
const MAX_BRANCHES = 20

function isLargeUnion({ anyOf, oneOf }: SchemaNode): boolean {
  const union = anyOf ?? oneOf
  return Array.isArray(union) && union.length > MAX_BRANCHES
}
