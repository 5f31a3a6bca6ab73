/** Run-scoped values against what a tool declares of them: the one check, of a call and of whoever asks before it makes any. */
import type { Issue } from '../schema/issue.ts'
import { declaredBy, type SchemaNode } from '../schema/schema.ts'
import { checkOf } from '../schema/validate.ts'

/**
 * What is wrong with the values that a tool's `context` declares; empty when they fit. Values that it does not declare are none of its
 * business, also where its schema is closed: several tools share them. No issue says what was got, since such values are never logged.
 */
export async function checkContext(schema: object, values: object): Promise<readonly Issue[]> {
  const isClosed = (schema as SchemaNode).additionalProperties === false
  const issues = (await checkOf(schema))(isClosed ? declaredBy(schema, values) : values)
  return issues.map(({ got: _got, ...issue }) => issue)
}
