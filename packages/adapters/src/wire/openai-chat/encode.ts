/** Encodes a canonical request as a Chat Completions request body for one host. */

import { once } from '../../once.ts'
import type { AssistantMessage, LMRequest, Message, RawToolCall, Settings } from '../../protocol/protocol.ts'
import type { ShapedTool } from '../../shaping/shape.ts'
import type { CacheMarks } from '../cache-marks.ts'
import { byList, type Lose } from '../convert-once.ts'
import type { WireRequest } from '../define-wire.ts'
import type { ResolvedFacts } from '../facts/model-facts.ts'
import type { ReasoningPlan } from '../facts/plan-reasoning.ts'
import { loseErrorFlag, loseReasoning } from '../losses.ts'
import { isObject, type JsonObject, objectAt, parseJson } from '../read-json.ts'
import { resultMedia } from '../result-media.ts'
import type {
  OpenAIChatBody,
  OpenAIChatCall,
  OpenAIChatChoice,
  OpenAIChatFormat,
  OpenAIChatMessage,
  OpenAIChatPart,
  OpenAIChatText,
} from './body.ts'
import { encodeCache, encodeMark, withBreakpoint } from './cache.ts'
import type { OpenAIChatHost } from './hosts.ts'
import { toWireContent, toWirePart } from './parts.ts'
import { replySchema } from './response-format.ts'

export function chatEncoder(host: OpenAIChatHost): (request: WireRequest) => OpenAIChatBody {
  const toWireMessages = byList((message: Message, lose) => encodeMessage(message, host, lose))
  const withMedia = resultMedia<OpenAIChatMessage, OpenAIChatPart>(
    (part) => toWirePart(part, host),
    (content) => ({ role: 'user', content }),
  )
  return ({ model, stream, messages, lose, request, settings, reasoning, facts, marks, ...rest }) => ({
    model,
    messages: withMedia(messages, withMarks(toWireMessages(messages, lose), marks, lose), lose).filter(
      (message) => message !== NOTHING,
    ),
    ...encodeTools(rest, host, lose),
    ...encodeFormat(request, host, lose),
    ...encodeSettings(settings, host, lose),
    ...encodeReasoning(reasoning, facts, host, lose),
    ...(host.promptCache && encodeCache({ request, facts })),
    ...(host.marksPrompt && encodeMark({ request, facts })),
    ...(stream && { stream, ...(host.streamUsage && { stream_options: { include_usage: true } }) }),
  })
}

/** Adds a breakpoint to each marked message. */
function withMarks(converted: OpenAIChatMessage[], { messages }: CacheMarks, lose: Lose): OpenAIChatMessage[] {
  for (const index of messages) {
    const message = converted[index] as OpenAIChatMessage
    if (message.role === 'assistant') {
      const note = `message ${index} is the model's, which this API can't mark`
      lose({ path: '/cache', keyword: 'cache', action: 'dropped', note })
    } else
      converted[index] = { ...message, content: withBreakpoint<OpenAIChatPart>(message.content, toText) } as OpenAIChatMessage
  }
  return converted
}

function toText(text: string): OpenAIChatText {
  return { type: 'text', text }
}

function encodeMessage(message: Message, host: OpenAIChatHost, lose: Lose): OpenAIChatMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: toWireContent(message, host, lose) }
    case 'assistant':
      return encodeTurn(message, host, lose)
    case 'tool':
      // In results, this API accepts only text. Images and files follow in a user message.
      loseErrorFlag(message, lose)
      return { role: 'tool', tool_call_id: message.callId, content: message.content }
  }
}

function encodeTurn(message: AssistantMessage, { name, wantsBack, skipsEmpty }: OpenAIChatHost, lose: Lose): OpenAIChatMessage {
  const { content, toolCalls = [], metadata, reasoning } = message
  const kept = objectAt(metadata, name)
  // The host rejects turns without reasoning, so even the reasoning of another provider is sent.
  const other = wantsBack === 'reasoning_content' && reasoning ? { reasoning_content: reasoning } : {}
  const thought = { ...other, ...(wantsBack && pick(kept, wantsBack)) }
  loseReasoning(message, Object.keys(thought).length > 0, lose)
  const back = { ...pick(kept, 'extra_content'), ...thought }
  if (toolCalls.length > 0) {
    const tool_calls = toolCalls.map((call) => encodeCall(call, name))
    return { role: 'assistant', content: content === '' ? null : content, tool_calls, ...back }
  }
  if (!skipsEmpty || content !== '' || Object.keys(back).length > 0) return { role: 'assistant', content, ...back }
  lose({ path: '', keyword: 'content', action: 'dropped' })
  return NOTHING
}

/** Takes the place of an empty assistant message that isn't sent. */
const NOTHING: OpenAIChatMessage = { role: 'assistant', content: '' }

/**
 * Encodes a call. Wraps arguments that aren't a JSON object, because vLLM and llama.cpp reject every later request of a conversation with
 * such a call (github.com/vllm-project/vllm/issues/43995, github.com/ggml-org/llama.cpp/issues/25510).
 */
function encodeCall({ id, name, arguments: text, metadata }: RawToolCall, wire: string): OpenAIChatCall {
  const args = parseJson(text.trim() || 'null')
  const sent = isObject(args) ? text : JSON.stringify(args === null ? {} : { malformed: text })
  return { id, type: 'function', function: { name, arguments: sent }, ...pick(objectAt(metadata, wire), 'extra_content') }
}

function pick(kept: JsonObject | undefined, field: string): JsonObject {
  return kept !== undefined && Object.hasOwn(kept, field) ? { [field]: kept[field] } : {}
}

/** Encodes the tools and the tool choice. A tool spec already has this API's form, so tools are sent unchanged. */
function encodeTools(
  { tools, toolChoice, parallelToolCalls }: Pick<WireRequest, 'tools' | 'toolChoice' | 'parallelToolCalls'>,
  host: OpenAIChatHost,
  lose: Lose,
): Pick<OpenAIChatBody, 'tools' | 'tool_choice' | 'parallel_tool_calls'> {
  if (tools.length === 0) return {}
  if (parallelToolCalls === false && !host.parallelSwitch)
    lose({ path: '/parallelToolCalls', keyword: 'parallelToolCalls', action: 'dropped' })
  const choice = encodeChoice(toolChoice, host, lose)
  return {
    tools: toWireTools(tools),
    ...(choice !== undefined && { tool_choice: choice }),
    ...(host.parallelSwitch && parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  }
}

const toWireTool = once(({ tool, strict }: ShapedTool) =>
  strict ? { ...tool, function: { ...tool.function, strict: true as const } } : tool,
)
const toWireTools = once((tools: readonly ShapedTool[]) => tools.map(toWireTool))

/** Encodes a tool choice. If the host doesn't support the choice, sends the next weaker one. */
function encodeChoice(choice: LMRequest['toolChoice'], { choices }: OpenAIChatHost, lose: Lose): OpenAIChatChoice | undefined {
  if (choice === undefined || choice === 'auto' || choice === 'none') return choice
  const kind = typeof choice === 'string' ? choice : 'named'
  if (choices.includes(kind)) return typeof choice === 'string' ? choice : { type: 'function', function: choice }
  const weaker = kind === 'named' && choices.includes('required') ? 'required' : 'auto'
  lose({ path: '/toolChoice', keyword: kind, action: 'refused', note: `sent as ${weaker}` })
  return weaker
}

function encodeFormat(
  { responseFormat }: LMRequest,
  { formats, toolRules }: OpenAIChatHost,
  lose: Lose,
): { readonly response_format?: OpenAIChatFormat } {
  if (responseFormat === undefined) return {}
  const hasSchema = responseFormat.schema !== undefined
  if (hasSchema && !formats.includes('json_schema'))
    lose({ path: '/responseFormat/schema', keyword: 'schema', action: 'dropped' })
  const schema = formats.includes('json_schema') ? replySchema(responseFormat, toolRules, lose) : undefined
  if (schema !== undefined) return { response_format: { type: 'json_schema', json_schema: schema } }
  if (formats.includes('json_object')) return { response_format: { type: 'json_object' } }
  lose({ path: '/responseFormat', keyword: 'responseFormat', action: 'dropped' })
  return {}
}

function encodeSettings(settings: Settings, host: OpenAIChatHost, lose: Lose): Readonly<Record<string, unknown>> {
  const taken: Record<string, unknown> = {}
  for (const key of Object.keys(settings) as (keyof Settings)[]) {
    const value = settings[key]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    if (host.settings.includes(key)) taken[key === 'maxOutputTokens' ? host.outputLimit : FIELDS[key]] = value
    else lose({ path: `/settings/${key}`, keyword: key, action: 'dropped' })
  }
  return taken
}

type Field = Exclude<keyof Settings, 'maxOutputTokens'>
const FIELDS: Readonly<Record<Field, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stop: 'stop',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
}

/** Encodes the reasoning in the form that the host expects. */
function encodeReasoning(
  plan: ReasoningPlan | undefined,
  { reasoning }: ResolvedFacts,
  host: OpenAIChatHost,
  lose: Lose,
): JsonObject {
  if (plan === undefined) return {}
  const effort = plan.kind === 'effort' ? plan.effort : undefined
  switch (host.reasoning) {
    case 'reasoning_effort':
      if (effort !== undefined) return { reasoning_effort: effort }
      if (plan.kind === 'off') return { reasoning_effort: 'none' }
      if (plan.kind === 'on' && reasoning && reasoning.byDefault) return {}
      break
    case 'reasoning_enabled':
      if (effort !== undefined) return { reasoning_effort: effort }
      if (plan.kind !== 'budget') return { reasoning: { enabled: plan.kind === 'on' } }
      break
    case 'thinking':
      return { thinking: { type: plan.kind === 'off' ? 'disabled' : 'enabled' }, ...(effort && { reasoning_effort: effort }) }
    case 'enable_thinking':
      return { enable_thinking: plan.kind !== 'off', ...(plan.kind === 'budget' && { thinking_budget: plan.tokens }) }
    case 'reasoning':
      if (plan.kind === 'budget') return { reasoning: { max_tokens: plan.tokens } }
      return { reasoning: effort === undefined ? { enabled: plan.kind === 'on' } : { effort } }
  }
  lose({ path: '/reasoning', keyword: 'reasoning', action: 'dropped', note: 'this host has no known parameter for it' })
  return {}
}
