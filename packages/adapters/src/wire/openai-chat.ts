/** OpenAI Chat Completions, and the many servers that speak it. */
import type { LMRequest, Message, RawToolCall, ToolChoice } from '../protocol.ts'
import {
  argumentsText,
  isCutBy,
  optional,
  readError,
  readReasoning,
  readText,
  readUsage,
  toFinish,
  uniqueId,
} from './openai-chat-read.ts'
import { OpenAIChatStream } from './openai-chat-stream.ts'
import { arrayAt, fieldAt, objectAt, stringAt } from './read-json.ts'
import type { WireFormat } from './wire-format.ts'

/** The body of a request, as far as this package writes it. */
export interface OpenAIChatBody {
  readonly model: string
  readonly messages: readonly object[]
  readonly tools?: LMRequest['tools']
  readonly [option: string]: unknown
}

export const openaiChat: WireFormat<OpenAIChatBody> = {
  name: 'openai-chat',
  path: '/chat/completions',
  encode: (request, model, { stream = false } = {}) => ({
    model,
    messages: request.messages.map(toWireMessage),
    ...encodeTools(request),
    ...encodeSettings(request),
    ...(stream && { stream, stream_options: { include_usage: true } }),
    ...request.providerOptions,
  }),
  decode(reply) {
    const error = readError(reply)
    const choice = arrayAt(reply, 'choices')[0]
    const message = objectAt(choice, 'message')
    const rawFinish = stringAt(choice, 'finish_reason')
    const calls = readCalls(message)
    // Some servers leave the reason empty beside a call.
    const finish = error ? 'error' : (toFinish(rawFinish) ?? (calls.length > 0 ? 'tool-calls' : undefined))
    return {
      text: readText(fieldAt(message, 'content')),
      toolCalls: isCutBy(finish) ? withLastTruncated(calls) : calls,
      ...optional({ reasoning: readReasoning(message), refusal: stringAt(message, 'refusal') || undefined }),
      ...(finish && { finish }),
      ...optional({ rawFinish, usage: readUsage(reply), error }),
      raw: reply,
    }
  },
  streamDecoder: () => new OpenAIChatStream(),
  decodeError: readError,
}

const wireMessages = new WeakMap<Message, object>()

/** Made once per message: a conversation that grows by a turn converts only that turn. */
function toWireMessage(message: Message): object {
  let wire = wireMessages.get(message)
  if (wire === undefined) {
    wire = encodeMessage(message)
    wireMessages.set(message, wire)
  }
  return wire
}

function encodeMessage(message: Message): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content }
  if (message.role !== 'assistant') return { role: message.role, content: message.content }
  const { content, toolCalls = [] } = message
  if (toolCalls.length === 0) return { role: 'assistant', content }
  const calls = toolCalls.map(({ id, name, arguments: text }) => ({ id, type: 'function', function: { name, arguments: text } }))
  return { role: 'assistant', content: content === '' ? null : content, tool_calls: calls }
}

/** The canonical spec is this API's own form, so the tools go out as they are. */
function encodeTools({ tools, toolChoice, parallelToolCalls }: LMRequest): object {
  if (tools === undefined || tools.length === 0) return {}
  return {
    tools,
    ...optional({
      tool_choice: toolChoice === undefined ? undefined : encodeChoice(toolChoice),
      parallel_tool_calls: parallelToolCalls,
    }),
  }
}

function encodeChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}

function encodeSettings({ settings = {} }: LMRequest): object {
  const { temperature, topP, maxOutputTokens, stop, seed } = settings
  return optional({ temperature, top_p: topP, max_completion_tokens: maxOutputTokens, stop, seed })
}

function readCalls(message: unknown): readonly RawToolCall[] {
  const legacy = objectAt(message, 'function_call')
  const entries = arrayAt(message, 'tool_calls').map((entry) => ({
    id: stringAt(entry, 'id'),
    body: objectAt(entry, 'function'),
  }))
  if (legacy !== undefined && entries.length === 0) entries.push({ id: undefined, body: legacy })
  const seen = new Set<string>()
  return entries.filter(({ body }) => isCall(body)).map(({ id, body }, index) => toRawCall(uniqueId(id, index, seen), body))
}

/** The text stopped in the last call: what parses there may still be only a part. */
function withLastTruncated(calls: readonly RawToolCall[]): readonly RawToolCall[] {
  return calls.map((call, index) => (index === calls.length - 1 ? { ...call, truncated: true } : call))
}

/** Some servers send empty placeholders. */
function isCall(body: unknown): boolean {
  return (stringAt(body, 'name') ?? '') !== '' || argumentsText(fieldAt(body, 'arguments')) !== ''
}

function toRawCall(id: string, body: unknown): RawToolCall {
  return { id, name: stringAt(body, 'name') ?? '', arguments: argumentsText(fieldAt(body, 'arguments')) }
}
