/** Encodes a canonical request as a request body of Cohere's chat API. */
import type { ContentPart } from '@x/tool-core'
import { toUrl } from '../../protocol/content.ts'
import type { AssistantMessage, Message, Settings } from '../../protocol/protocol.ts'
import type { ShapedTool } from '../../shaping/shape.ts'
import { toFunctionCall } from '../calls.ts'
import { byList, type Lose } from '../convert-once.ts'
import type { WireRequest } from '../define-wire.ts'
import type { ReasoningPlan } from '../facts/plan-reasoning.ts'
import { isKnownImage, loseErrorFlag, loseFormatWords, loseReasoning, partsOrText } from '../losses.ts'
import { optional } from '../read-json.ts'
import { resultMedia } from '../result-media.ts'
import type { CohereBody, CohereMessage, CoherePart, CohereTurn } from './body.ts'
import { toWireContent, toWirePlan } from './turn.ts'

export function encodeRequest(wireRequest: WireRequest): CohereBody {
  const { model, stream, messages, lose, settings, reasoning } = wireRequest
  return {
    model,
    messages: withMedia(messages, toWireMessages(messages, lose), lose),
    ...encodeTools(wireRequest),
    ...encodeFormat(wireRequest),
    ...encodeSettings(settings),
    ...encodeReasoning(reasoning),
    stream,
  }
}

const toWireMessages = byList(encodeMessage)
const withMedia = resultMedia<CohereMessage, CoherePart>(encodePart, (content) => ({ role: 'user', content }))

function encodeMessage(message: Message, lose: Lose): CohereMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: partsOrText(message, encodePart, lose) }
    case 'assistant':
      return encodeTurn(message, lose)
    case 'tool':
      // In results, this API accepts only text or documents. Images follow in a user message.
      loseErrorFlag(message, lose)
      return { role: 'tool', tool_call_id: message.callId, content: message.content }
  }
}

function encodePart(part: ContentPart): CoherePart | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type !== 'image' || !isKnownImage(part)) return undefined
  return { type: 'image_url', image_url: { url: toUrl(part.source, part.mediaType) } }
}

function encodeTurn(message: AssistantMessage, lose: Lose): CohereTurn {
  const content = toWireContent(message)
  const { toolCalls = [] } = message
  const tool_plan = toolCalls.length === 0 ? undefined : toWirePlan(message)
  const hasThinking = typeof content !== 'string' && content.some(({ type }) => type === 'thinking')
  loseReasoning(message, hasThinking || tool_plan !== undefined, lose)
  if (toolCalls.length === 0) return { role: 'assistant', content }
  const tool_calls = toolCalls.map(toFunctionCall)
  return { role: 'assistant', ...(content.length > 0 && { content }), ...(tool_plan !== undefined && { tool_plan }), tool_calls }
}

function encodeTools({ tools, toolChoice, parallelToolCalls, request, lose }: WireRequest): Partial<CohereBody> {
  if (tools.length === 0) return {}
  if (parallelToolCalls === false) lose({ path: '/parallelToolCalls', keyword: 'parallelToolCalls', action: 'dropped' })
  const offered = offeredTools(tools, toolChoice, lose)
  return {
    tools: offered.map(({ tool }) => tool),
    ...(toolChoice === 'none' && { tool_choice: 'NONE' as const }),
    ...((toolChoice === 'required' || typeof toolChoice === 'object') && { tool_choice: 'REQUIRED' as const }),
    ...(request.strictTools === true && canBeStrict(offered, lose) && { strict_tools: true }),
  }
}

/** Returns the tools to send for a tool choice. The API can't force a call to a named tool, so only that tool is sent. */
function offeredTools(tools: readonly ShapedTool[], choice: WireRequest['toolChoice'], lose: Lose): readonly ShapedTool[] {
  if (typeof choice !== 'object') return tools
  const named = tools.filter(({ tool }) => tool.function.name === choice.name)
  if (named.length > 0) return named
  lose({
    path: '/toolChoice',
    keyword: 'named',
    action: 'widened',
    note: `there is no tool "${choice.name}", so a call to any tool is required`,
  })
  return tools
}

/**
 * True if all tools can be strict, because strict mode applies to the whole request. Shaping has already reported each tool that can't be
 * strict. If only some tools can't be strict, also reports that they prevent strict mode for the others.
 */
function canBeStrict(tools: readonly ShapedTool[], lose: Lose): boolean {
  const loose = tools.filter(({ strict }) => !strict)
  if (loose.length > 0 && loose.length < tools.length) {
    const note = `strict mode applies to all tools or none, and these tools have no strict schema that this API accepts: ${loose.map(({ name }) => name).join(', ')}`
    lose({ path: '/strictTools', keyword: 'strictTools', action: 'refused', note })
  }
  return loose.length === 0
}

function encodeFormat({ tools, request: { responseFormat }, lose }: WireRequest): Partial<CohereBody> {
  if (responseFormat === undefined) return {}
  if (tools.length > 0) {
    const note = 'the API accepts a response format only without tools'
    lose({ path: '/responseFormat', keyword: 'responseFormat', action: 'dropped', note })
    return {}
  }
  const { schema } = responseFormat
  loseFormatWords(responseFormat, ['name', 'description'], lose)
  return { response_format: { type: 'json_object', ...(schema !== undefined && { json_schema: schema }) } }
}

function encodeReasoning(plan: ReasoningPlan | undefined): Pick<CohereBody, 'thinking'> {
  if (plan === undefined) return {}
  if (plan.kind === 'off') return { thinking: { type: 'disabled' } }
  return { thinking: { type: 'enabled', ...(plan.kind === 'budget' && { token_budget: plan.tokens }) } }
}

function encodeSettings(settings: Settings): Partial<CohereBody> {
  const { temperature, topP, topK, maxOutputTokens, stop = [], seed, presencePenalty, frequencyPenalty } = settings
  return optional({
    temperature,
    p: topP,
    k: topK,
    max_tokens: maxOutputTokens,
    stop_sequences: stop.length > 0 ? [...stop] : undefined,
    seed,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
  }) as Partial<CohereBody>
}
