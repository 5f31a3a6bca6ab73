/** The schema of a reply for APIs that take none but one of their strict mode: Anthropic, Bedrock. */
import type { ToolSpec } from '@x/tool-core'
import type { ResponseFormat } from '../protocol/protocol.ts'
import { shapeFor } from '../shaping/shape.ts'
import type { ToolRules } from '../shaping/tool-rules.ts'
import type { Lose } from './convert-once.ts'

/** Nothing when there is no schema, or one that strict mode does not take or would change in a way that a reply cannot undo. */
export function strictReplySchema({ schema }: ResponseFormat, rules: ToolRules, lose: Lose): Record<string, unknown> | undefined {
  if (schema === undefined) {
    lose({ path: '/responseFormat', keyword: 'responseFormat', action: 'dropped', note: 'this API wants a schema' })
    return undefined
  }
  const { tool, strict, restores, losses } = shapeFor(specOf(schema), rules, { strict: true })
  for (const loss of losses) lose({ ...loss, path: `/responseFormat/schema${loss.path}` })
  if (strict && !restores) return tool.function.parameters
  lose({ path: '/responseFormat', keyword: 'responseFormat', action: 'dropped', note: 'strict mode does not take its schema' })
  return undefined
}

/** One for each schema: what is shaped is remembered. */
function specOf(schema: NonNullable<ResponseFormat['schema']>): ToolSpec {
  let spec = specs.get(schema)
  if (spec === undefined) {
    spec = { type: 'function', function: { name: 'response', description: '', parameters: schema } }
    specs.set(schema, spec)
  }
  return spec
}

const specs = new WeakMap<object, ToolSpec>()
