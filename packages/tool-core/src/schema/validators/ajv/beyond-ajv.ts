/** Finds schemas that AJV evaluates differently from their draft. */
import type { SchemaFacts } from '../check.ts'
import { isUnevaluated } from '../interpreter/evaluated.ts'

/**
 * AJV finds the anchor of a `$dynamicRef` by its name alone. For `unevaluatedItems` it ignores `contains`, and for `unevaluatedProperties` an
 * `if` without `then` or `else`; it throws for some invalid values.
 */
export function isBeyondAjv({ dynamic, nodes }: SchemaFacts): boolean {
  return dynamic !== undefined || nodes.some(isUnevaluated)
}
