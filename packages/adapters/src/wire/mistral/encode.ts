/** Encodes a canonical request as a request body of Mistral's chat completions. */
import type { ContentPart } from '@x/tool-core'
import { once } from '../../once.ts'
import { toUrl } from '../../protocol/content.ts'
import type { AssistantMessage, LMRequest, Message, Settings, ToolChoice } from '../../protocol/protocol.ts'
import type { ShapedTool } from '../../shaping/shape.ts'
import { cacheKey } from '../cache-marks.ts'
import { toFunctionCall } from '../calls.ts'
import { byList, type Lose } from '../convert-once.ts'
import type { WireRequest } from '../define-wire.ts'
import type { ReasoningPlan } from '../facts/plan-reasoning.ts'
import { isKnownImage, loseErrorFlag, loseReasoning, partsOrText } from '../losses.ts'
import { optional } from '../read-json.ts'
import { resultMedia } from '../result-media.ts'
import { EMPTY } from '../user-turns.ts'
import type { MistralBody, MistralChoice, MistralMessage, MistralPart, MistralTool } from './body.ts'
import { toWireContent } from './content-blocks.ts'

export function encodeRequest(wireRequest: WireRequest): MistralBody {
  const { model, stream, messages, lose, request, settings, reasoning } = wireRequest
  return {
    model,
    messages: bridged(withMedia(messages, toWireMessages(messages, lose), lose).filter((message) => !isEmpty(message))),
    ...encodeTools(wireRequest),
    ...encodeFormat(request, lose),
    ...encodeSettings(settings, lose),
    ...encodeReasoning(reasoning),
    ...encodeCache(wireRequest),
    stream,
  }
}

function encodeCache(wireRequest: WireRequest): Pick<MistralBody, 'prompt_cache_key'> {
  const key = cacheKey(wireRequest)
  return key === undefined ? {} : { prompt_cache_key: key }
}

const toWireMessages = byList(encodeMessage)
const withMedia = resultMedia<MistralMessage, MistralPart>(encodePart, (content) => ({ role: 'user', content }))

/**
 * Inserts an assistant message between a result and a user message. Most versions of the API reject a user message directly after a result
 * (code 3230).
 */
function bridged(messages: MistralMessage[]): MistralMessage[] {
  const isRefused = ({ role }: MistralMessage, index: number) => role === 'user' && messages[index - 1]?.role === 'tool'
  if (!messages.some(isRefused)) return messages
  return messages.flatMap((message, index) => (isRefused(message, index) ? [BRIDGE, message] : [message]))
}

const BRIDGE: MistralMessage = Object.freeze({ role: 'assistant', content: 'OK' })

function encodeMessage(message: Message, lose: Lose): MistralMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: partsOrText(message, encodePart, lose) }
    case 'assistant':
      return encodeTurn(message, lose)
    case 'tool':
      // Results are sent as text, as in all recorded requests. Images and files follow in a user message.
      loseErrorFlag(message, lose)
      return { role: 'tool', tool_call_id: message.callId, name: message.name, content: message.content }
  }
}

function encodeTurn(message: AssistantMessage, lose: Lose): MistralMessage {
  const content = toWireContent(message)
  loseReasoning(message, typeof content !== 'string' && content.some(({ type }) => type === 'thinking'), lose)
  const { toolCalls = [] } = message
  if (toolCalls.length === 0 && content.length === 0) lose({ path: '', keyword: 'content', action: 'dropped', note: EMPTY })
  if (toolCalls.length === 0) return { role: 'assistant', content }
  return { role: 'assistant', content, tool_calls: toolCalls.map(toFunctionCall) }
}

/** True for an assistant message without content and calls. The API rejects it (code 3240). */
function isEmpty(message: MistralMessage): boolean {
  return message.role === 'assistant' && message.content.length === 0 && message.tool_calls === undefined
}

function encodePart(part: ContentPart): MistralPart | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'image')
    return isKnownImage(part) ? { type: 'image_url', image_url: toUrl(part.source, part.mediaType) } : undefined
  if (part.mediaType.startsWith('video/')) return undefined
  if (part.mediaType.startsWith('audio/'))
    return { type: 'input_audio', input_audio: 'url' in part.source ? part.source.url : part.source.base64 }
  return {
    type: 'document_url',
    document_url: toUrl(part.source, part.mediaType),
    ...(part.name !== undefined && { document_name: part.name }),
  }
}

function encodeTools({ tools, toolChoice, parallelToolCalls }: WireRequest): Partial<MistralBody> {
  if (tools.length === 0) return {}
  const tool_choice = encodeChoice(toolChoice)
  return {
    tools: toWireTools(tools),
    ...(tool_choice !== undefined && { tool_choice }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  }
}

const toWireTool = once(
  ({ tool, strict }: ShapedTool): MistralTool => (strict ? { ...tool, function: { ...tool.function, strict } } : tool),
)
const toWireTools = once((tools: readonly ShapedTool[]) => tools.map(toWireTool))

function encodeChoice(choice: ToolChoice | undefined): MistralChoice | undefined {
  if (choice === 'required') return 'any'
  return typeof choice === 'object' ? { type: 'function', function: { name: choice.name } } : choice
}

/** Requests a JSON reply. The schema isn't enforced, because Mistral doesn't document which schemas its strict mode supports. */
function encodeFormat({ responseFormat }: LMRequest, lose: Lose): Partial<MistralBody> {
  if (responseFormat === undefined) return {}
  const { schema, name = 'response', description } = responseFormat
  if (schema === undefined) return { response_format: { type: 'json_object' } }
  lose({ path: '/responseFormat/schema', keyword: 'strict', action: 'refused' })
  const json_schema = { name, ...(description !== undefined && { description }), schema }
  return { response_format: { type: 'json_schema', json_schema } }
}

/** Encodes the reasoning setting. Models on this API accept only an effort. */
function encodeReasoning(plan: ReasoningPlan | undefined): Pick<MistralBody, 'reasoning_effort'> {
  if (plan?.kind === 'effort') return { reasoning_effort: plan.effort }
  return plan?.kind === 'off' ? { reasoning_effort: 'none' } : {}
}

function encodeSettings(settings: Settings, lose: Lose): Partial<MistralBody> {
  const { temperature, topP, topK, maxOutputTokens, stop = [], seed, presencePenalty, frequencyPenalty } = settings
  if (topK !== undefined) lose({ path: '/settings/topK', keyword: 'topK', action: 'dropped' })
  return optional({
    temperature,
    top_p: topP,
    max_tokens: maxOutputTokens,
    stop: stop.length > 0 ? [...stop] : undefined,
    random_seed: seed,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
  }) as Partial<MistralBody>
}
