/** Encodes the schema of a reply for OpenAI's APIs. Uses strict mode only if it supports the schema without any loss. */
import type { ResponseFormat } from '../../protocol/protocol.ts'
import type { ToolRules } from '../../shaping/rules/tool-rules.ts'
import { shapeFor } from '../../shaping/shape.ts'
import type { Lose } from '../convert-once.ts'
import { replySpec } from '../strict-reply.ts'

export interface ReplySchema {
  readonly name: string
  readonly description?: string
  readonly schema: Record<string, unknown>
  readonly strict: boolean
}

/**
 * Encodes the schema. Undefined if there is no schema, so that any JSON object is accepted. A schema that strict mode doesn't support is
 * sent but not enforced.
 */
export function replySchema(
  { schema, name = 'response', description }: ResponseFormat,
  rules: ToolRules,
  lose: Lose,
): ReplySchema | undefined {
  if (schema === undefined) return undefined
  const strict = strictSchema(schema, rules)
  if (strict === undefined) lose({ path: '/responseFormat/schema', keyword: 'strict', action: 'refused' })
  return { name, ...(description !== undefined && { description }), schema: strict ?? schema, strict: strict !== undefined }
}

/** Returns the schema for strict mode. Undefined if shaping has losses, or if the reply would have to be converted back. */
function strictSchema(schema: NonNullable<ResponseFormat['schema']>, rules: ToolRules): Record<string, unknown> | undefined {
  const { strict, restores, losses, tool } = shapeFor(replySpec(schema), rules, { strict: true })
  return strict && !restores && losses.length === 0 ? tool.function.parameters : undefined
}
