/** Encodes a canonical request as a request body of the Responses API. */

import { once } from '../../once.ts'
import type { LMRequest, Message, Settings } from '../../protocol/protocol.ts'
import type { ShapedTool } from '../../shaping/shape.ts'
import { byMessage, type Lose } from '../convert-once.ts'
import type { WireRequest } from '../define-wire.ts'
import type { ReasoningPlan } from '../facts/plan-reasoning.ts'
import { loseErrorFlag } from '../losses.ts'
import { encodeCache, withBreakpoint } from '../openai-chat/cache.ts'
import { replySchema } from '../openai-chat/response-format.ts'
import type { OpenAIResponsesBody, ResponsesInputItem, ResponsesPart, ResponsesTool } from './body.ts'
import { toWireContent } from './parts.ts'
import { openaiResponsesRules } from './rules.ts'
import { encodeTurn } from './turn.ts'

/**
 * Encodes the body. Every request contains the whole conversation, so the provider doesn't have to store anything (`store: false`).
 * Reasoning models are asked for encrypted reasoning, which can be sent back. `providerOptions` override both, e.g. with `store: true`.
 */
export function encodeBody({
  model,
  stream,
  messages,
  lose,
  request,
  settings,
  reasoning,
  facts,
  marks,
  ...rest
}: WireRequest): OpenAIResponsesBody {
  const toItems = request.providerOptions?.store === true ? toStoredItems : toUnstoredItems
  const input: ResponsesInputItem[] = []
  for (const [index, message] of messages.entries()) {
    const items = toItems(message, index, lose)
    input.push(...(marks.messages.has(index) ? markLast(items, index, lose) : items))
  }
  return {
    model,
    input: withNamespaces(input, rest.deferred),
    store: false,
    // Models without reasoning reject a request for encrypted reasoning.
    ...(facts.reasoning && { include: ['reasoning.encrypted_content'] }),
    ...encodeTools(rest),
    ...encodeFormat(request, lose),
    ...encodeSettings(settings, lose),
    ...encodeReasoning(reasoning),
    ...encodeCache({ request, facts }),
    ...(stream && { stream }),
  }
}

const toStoredItems = byMessage((message: Message, lose) => encodeMessage(message, true, lose))
const toUnstoredItems = byMessage((message: Message, lose) => encodeMessage(message, false, lose))

function encodeMessage(message: Message, isStored: boolean, lose: Lose): readonly ResponsesInputItem[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user':
      return [{ role: 'user', content: toWireContent(message, lose) }]
    case 'assistant':
      return encodeTurn(message, isStored, lose)
    case 'tool':
      loseErrorFlag(message, lose)
      return [{ type: 'function_call_output', call_id: message.callId, output: toWireContent(message, lose) }]
  }
}

/**
 * Adds the namespace to calls of deferred tools. Calls that this wire format decoded already have one. If a tool is only in a namespace,
 * the API rejects a call to it without that namespace.
 */
function withNamespaces(input: ResponsesInputItem[], deferred: WireRequest['deferred']): ResponsesInputItem[] {
  if (deferred.length === 0) return input
  const names = new Set(deferred.map(({ tool }) => tool.function.name))
  return input.map((item) =>
    'type' in item && item.type === 'function_call' && names.has(item.name) && item.namespace === undefined
      ? { ...item, namespace: LIBRARY.name }
      : item,
  )
}

/** Sets a cache breakpoint at the end of a message. */
function markLast(items: readonly ResponsesInputItem[], index: number, lose: Lose): readonly ResponsesInputItem[] {
  const marked = toMarked(items.at(-1))
  if (marked !== undefined) return items.with(-1, marked)
  const note = `message ${index} is the model's, which this API can't mark`
  lose({ path: '/cache', keyword: 'cache', action: 'dropped', note })
  return items
}

function toMarked(item: ResponsesInputItem | undefined): ResponsesInputItem | undefined {
  if (item === undefined) return undefined
  if ('output' in item) return { ...item, output: withBreakpoint(item.output, toText) }
  if ('role' in item && item.role !== 'assistant') return { ...item, content: withBreakpoint(item.content, toText) }
  return undefined
}

function toText(text: string): ResponsesPart {
  return { type: 'input_text', text }
}

function encodeTools({
  tools,
  deferred,
  toolChoice: choice,
  parallelToolCalls,
}: Pick<WireRequest, 'tools' | 'deferred' | 'toolChoice' | 'parallelToolCalls'>): Pick<
  OpenAIResponsesBody,
  'tools' | 'tool_choice' | 'parallel_tool_calls'
> {
  if (tools.length === 0 && deferred.length === 0) return {}
  return {
    tools: [...tools.map(toWireTool), ...(deferred.length > 0 ? searched(deferred) : [])],
    ...(choice !== undefined && { tool_choice: typeof choice === 'string' ? choice : { type: 'function', name: choice.name } }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  }
}

/**
 * Encodes a tool. Always sends `strict`, because otherwise the API tries strict mode on its own and makes optional properties required.
 */
const toWireTool = once(
  ({ tool: { function: spec }, strict }: ShapedTool): ResponsesTool => ({
    type: 'function',
    name: spec.name,
    description: spec.description,
    parameters: spec.parameters,
    strict,
  }),
)

const toDeferred = once((tool: ShapedTool): ResponsesTool => ({ ...toWireTool(tool), defer_loading: true }))

function searched(deferred: WireRequest['deferred']): NonNullable<OpenAIResponsesBody['tools']> {
  return [{ ...LIBRARY, tools: deferred.map(toDeferred) }, { type: 'tool_search' }]
}

const LIBRARY = {
  type: 'namespace',
  name: 'library',
  description: 'Tools for other tasks. Search them before you answer that something cannot be done.',
} as const

function encodeFormat({ responseFormat }: LMRequest, lose: Lose): Pick<OpenAIResponsesBody, 'text'> {
  if (responseFormat === undefined) return {}
  const schema = replySchema(responseFormat, openaiResponsesRules, lose)
  return { text: { format: schema === undefined ? { type: 'json_object' } : { type: 'json_schema', ...schema } } }
}

/** Encodes the reasoning setting. Models on this API accept only an effort. */
function encodeReasoning(plan: ReasoningPlan | undefined): Pick<OpenAIResponsesBody, 'reasoning'> {
  if (plan?.kind === 'effort') return { reasoning: { effort: plan.effort } }
  return plan?.kind === 'off' ? { reasoning: { effort: 'none' } } : {}
}

function encodeSettings(settings: Settings, lose: Lose): Readonly<Record<string, unknown>> {
  const taken: Record<string, unknown> = {}
  for (const key of Object.keys(settings) as (keyof Settings)[]) {
    const value = settings[key]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    const field = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined
    if (field === undefined) lose({ path: `/settings/${key}`, keyword: key, action: 'dropped' })
    else taken[field] = value
  }
  return taken
}

const FIELDS: { readonly [name in keyof Settings]?: string } = {
  temperature: 'temperature',
  topP: 'top_p',
  maxOutputTokens: 'max_output_tokens',
}
