/** Encodes a Converse request, except for its messages. */
import type { ResponseFormat, Settings } from '../../protocol/protocol.ts'
import type { Lose } from '../convert-once.ts'
import type { WireRequest } from '../define-wire.ts'
import type { ReasoningPlan } from '../facts/plan-reasoning.ts'
import { strictReplySchema } from '../strict-reply.ts'
import type { BedrockBody } from './body.ts'
import { familyOf, type ModelFamily } from './families.ts'
import { CACHE_POINT, encodeMessages } from './messages.ts'
import { encodeTools } from './tools.ts'

/** Encodes the body. The model id and the choice between streaming and a complete reply are part of the URL path. */
export function encodeRequest(wireRequest: WireRequest): BedrockBody {
  const { model, request, settings, reasoning, marks, lose } = wireRequest
  const family = familyOf(model)
  const { system, messages } = encodeMessages(wireRequest.messages, family, marks.messages, lose)
  const toolConfig = encodeTools(wireRequest, family)
  return {
    messages,
    ...(system.length > 0 && { system: [...system.map((text) => ({ text })), ...(marks.system ? [CACHE_POINT] : [])] }),
    ...encodeSettings(settings, reasoning, family, lose),
    ...(toolConfig && { toolConfig }),
    ...encodeFormat(request.responseFormat, family, lose),
  }
}

function encodeSettings(
  settings: Settings,
  reasoning: ReasoningPlan | undefined,
  family: ModelFamily,
  lose: Lose,
): Partial<BedrockBody> {
  const { maxOutputTokens, temperature, topP, topK, stop } = settings
  for (const name of ['seed', 'presencePenalty', 'frequencyPenalty'] as const) {
    if (settings[name] !== undefined) lose({ path: `/settings/${name}`, keyword: name, action: 'dropped' })
  }
  if (topK !== undefined && family.topK === undefined)
    lose({ path: '/settings/topK', keyword: 'topK', action: 'dropped', note: 'this model has no known parameter for topK' })
  const inferenceConfig = {
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stop !== undefined && stop.length > 0 && { stopSequences: [...stop] }),
  }
  if (reasoning !== undefined && family.reasoning === undefined)
    lose({ path: '/reasoning', keyword: 'reasoning', action: 'dropped', note: 'this model has no known parameter for reasoning' })
  const more = { ...(topK !== undefined && family.topK?.(topK)), ...(reasoning && family.reasoning?.(reasoning)) }
  return {
    ...(Object.keys(inferenceConfig).length > 0 && { inferenceConfig }),
    ...(Object.keys(more).length > 0 && { additionalModelRequestFields: more }),
  }
}

function encodeFormat(format: ResponseFormat | undefined, family: ModelFamily, lose: Lose): Pick<BedrockBody, 'outputConfig'> {
  if (format === undefined) return {}
  const schema = strictReplySchema(format, family.rules, lose)
  if (schema === undefined) return {}
  const { name = 'response', description } = format
  const jsonSchema = { schema: JSON.stringify(schema), name, ...(description && { description }) }
  return { outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema } } } }
}
