/** Encodes a canonical request as a request body of Ollama's chat API. */
import type { ContentPart } from '@x/tool-core'
import { partsOf, toContent } from '../../protocol/content.ts'
import type { LMRequest, Message, RawToolCall, Settings, ToolMessage, UserMessage } from '../../protocol/protocol.ts'
import type { ShapedTool } from '../../shaping/shape.ts'
import { callInput } from '../call-input.ts'
import { byList, type Lose } from '../convert-once.ts'
import type { WireRequest } from '../define-wire.ts'
import type { ReasoningPlan } from '../facts/plan-reasoning.ts'
import { IMAGE_TYPES, loseErrorFlag, loseFormatWords } from '../losses.ts'
import { optional } from '../read-json.ts'
import type { OllamaBody, OllamaCall, OllamaMessage, OllamaOptions } from './body.ts'

export function encodeRequest(wireRequest: WireRequest): OllamaBody {
  const { model, stream, messages, lose, request, settings, reasoning } = wireRequest
  return {
    model,
    messages: toWireMessages(messages, lose),
    ...encodeTools(wireRequest),
    ...encodeFormat(request, lose),
    ...encodeSettings(settings),
    ...encodeReasoning(reasoning),
    stream,
  }
}

const toWireMessages = byList(encodeMessage)

function encodeMessage(message: Message, lose: Lose): OllamaMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', ...encodeContent(message, lose) }
    case 'assistant': {
      const { content, reasoning, toolCalls = [] } = message
      return {
        role: 'assistant',
        content,
        ...(reasoning !== undefined && reasoning !== '' && { thinking: reasoning }),
        ...(toolCalls.length > 0 && { tool_calls: toolCalls.map((call, index) => encodeCall(call, index, lose)) }),
      }
    }
    case 'tool':
      loseErrorFlag(message, lose)
      return { role: 'tool', tool_name: message.name, ...encodeContent(message, lose) }
  }
}

/** Encodes text and media. Base64 images are sent next to the text. Other media are only named in the text. */
function encodeContent(message: UserMessage | ToolMessage, lose: Lose): { content: string; images?: string[] } {
  const images: string[] = []
  const others: ContentPart[] = []
  for (const [index, part] of partsOf(message).entries()) {
    if (part.type === 'image' && 'base64' in part.source && IMAGE_TYPES.has(part.mediaType)) {
      images.push(part.source.base64)
      continue
    }
    if (part.type !== 'text') lose({ path: `/parts/${index}`, keyword: part.type, action: 'dropped' })
    others.push(part)
  }
  return images.length > 0 ? { content: toContent(others).content, images } : { content: message.content }
}

function encodeCall(call: RawToolCall, index: number, lose: Lose): OllamaCall {
  return { function: { name: call.name, arguments: callInput(call, index, lose) } }
}

/**
 * Encodes the tools. The server supports neither a tool choice nor a switch for parallel calls, so a tool choice can only limit which
 * tools are sent.
 */
function encodeTools({ tools, toolChoice, parallelToolCalls, lose }: WireRequest): Partial<OllamaBody> {
  if (tools.length === 0) return {}
  if (toolChoice === 'none') {
    const note = 'the tools are not sent, so the model cannot call them'
    lose({ path: '/toolChoice', keyword: 'none', action: 'dropped', note })
    return {}
  }
  if (parallelToolCalls === false) lose({ path: '/parallelToolCalls', keyword: 'parallelToolCalls', action: 'dropped' })
  return { tools: offeredTools(tools, toolChoice, lose).map(({ tool }) => tool) }
}

function offeredTools(tools: readonly ShapedTool[], choice: WireRequest['toolChoice'], lose: Lose): readonly ShapedTool[] {
  if (choice === undefined || choice === 'auto') return tools
  const named = typeof choice === 'object' ? tools.filter(({ tool }) => tool.function.name === choice.name) : []
  const keyword = typeof choice === 'object' ? 'named' : choice
  const note = named.length > 0 ? "only this tool is sent, but this API can't force the model to call it" : 'sent as auto'
  lose({ path: '/toolChoice', keyword, action: 'refused', note })
  return named.length > 0 ? named : tools
}

function encodeFormat({ responseFormat }: LMRequest, lose: Lose): Partial<OllamaBody> {
  if (responseFormat === undefined) return {}
  loseFormatWords(responseFormat, ['name', 'description'], lose)
  return { format: responseFormat.schema ?? 'json' }
}

function encodeReasoning(plan: ReasoningPlan | undefined): Pick<OllamaBody, 'think'> {
  if (plan === undefined) return {}
  return { think: plan.kind === 'effort' ? plan.effort : plan.kind !== 'off' }
}

function encodeSettings(settings: Settings): Partial<OllamaBody> {
  const { temperature, topP, topK, maxOutputTokens, stop = [], seed, presencePenalty, frequencyPenalty } = settings
  const options = optional({
    temperature,
    top_p: topP,
    top_k: topK,
    num_predict: maxOutputTokens,
    stop: stop.length > 0 ? [...stop] : undefined,
    seed,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
  }) as OllamaOptions
  return Object.keys(options).length > 0 ? { options } : {}
}
