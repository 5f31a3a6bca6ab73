/** Shapes the schema of a reply for APIs that accept one only in strict mode: Anthropic and Bedrock. */
import type { ToolSpec } from '@x/tool-core'
import { once } from '../once.ts'
import type { ResponseFormat } from '../protocol/protocol.ts'
import type { ToolRules } from '../shaping/rules/tool-rules.ts'
import { shapeFor } from '../shaping/shape.ts'
import type { Lose } from './convert-once.ts'

/**
 * Returns the schema for strict mode. Undefined if there is no schema, if strict mode doesn't support it, or if the reply would have to
 * be converted back.
 */
export function strictReplySchema({ schema }: ResponseFormat, rules: ToolRules, lose: Lose): Record<string, unknown> | undefined {
  if (schema === undefined) {
    lose({ path: '/responseFormat', keyword: 'responseFormat', action: 'dropped', note: 'this API requires a schema' })
    return undefined
  }
  const { tool, strict, restores, losses } = shapeFor(replySpec(schema), rules, { strict: true })
  for (const loss of losses) lose({ ...loss, path: `/responseFormat/schema${loss.path}` })
  if (strict && !restores) return tool.function.parameters
  lose({ path: '/responseFormat', keyword: 'responseFormat', action: 'dropped', note: 'strict mode does not support its schema' })
  return undefined
}

/** Returns the schema as a spec, because shaping takes specs. Returns the same one for the same schema, because shaping caches its results by spec. */
export const replySpec = once(
  (parameters: NonNullable<ResponseFormat['schema']>): ToolSpec => ({
    type: 'function',
    function: { name: 'response', description: '', parameters },
  }),
)
