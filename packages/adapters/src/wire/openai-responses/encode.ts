/** Encodes a canonical request as a request body of the Responses API. */
import type { LMRequest, Message, Settings } from '../../protocol/protocol.ts'
import { byMessage, byTool, type Lose } from '../convert-once.ts'
import type { WireRequest } from '../define-wire.ts'
import type { ReasoningPlan } from '../facts/plan-reasoning.ts'
import { loseErrorFlag } from '../losses.ts'
import { replySchema } from '../openai-chat/response-format.ts'
import type { OpenAIResponsesBody, ResponsesInputItem, ResponsesTool } from './body.ts'
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
  ...rest
}: WireRequest): OpenAIResponsesBody {
  const toItems = request.providerOptions?.store === true ? toStoredItems : toUnstoredItems
  return {
    model,
    input: messages.flatMap((message, index) => toItems(message, index, lose)),
    store: false,
    // Models without reasoning reject a request for encrypted reasoning.
    ...(facts.reasoning && { include: ['reasoning.encrypted_content'] }),
    ...encodeTools(rest),
    ...encodeFormat(request, lose),
    ...encodeSettings(settings, lose),
    ...encodeReasoning(reasoning),
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

function encodeTools({
  tools,
  deferred,
  toolChoice: choice,
  parallelToolCalls,
}: Pick<WireRequest, 'tools' | 'deferred' | 'toolChoice' | 'parallelToolCalls'>): Partial<OpenAIResponsesBody> {
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
const toWireTool = byTool(
  ({ tool: { function: spec }, strict }): ResponsesTool => ({
    type: 'function',
    name: spec.name,
    description: spec.description,
    parameters: spec.parameters,
    strict,
  }),
)

const toDeferred = byTool((tool): ResponsesTool => ({ ...toWireTool(tool), defer_loading: true }))

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

/** These models accept only an effort. */
function encodeReasoning(plan: ReasoningPlan | undefined): Pick<OpenAIResponsesBody, 'reasoning'> {
  if (plan?.kind === 'effort') return { reasoning: { effort: plan.effort } }
  return plan?.kind === 'off' ? { reasoning: { effort: 'none' } } : {}
}

function encodeSettings(settings: Settings, lose: Lose): Partial<OpenAIResponsesBody> {
  const taken = Object.entries(settings).flatMap(([key, value]) => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return []
    const field = FIELDS.get(key as keyof Settings)
    if (field === undefined) lose({ path: `/settings/${key}`, keyword: key, action: 'dropped' })
    return field === undefined ? [] : [[field, value]]
  })
  return Object.fromEntries(taken)
}

const FIELDS: ReadonlyMap<keyof Settings, string> = new Map([
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['maxOutputTokens', 'max_output_tokens'],
])
