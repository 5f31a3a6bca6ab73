/** A response of ours as the content of a reply of the AI SDK. */
import type { LanguageModelV3Content, LanguageModelV3ToolCall } from '@ai-sdk/provider'
import type { LMResponse, ProviderCall, RawToolCall } from '@x/adapters'
import { type Carried, carry } from './kept.ts'
import { toJson } from './read.ts'

export function toContent(response: LMResponse): LanguageModelV3Content[] {
  const { reasoning, text, refusal, toolCalls, unreadCalls = [], providerCalls = [], metadata } = response
  return [
    ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...(refusal ? [{ type: 'text' as const, text: refusal, ...carry({ refusal: true }) }] : []),
    ...toolCalls.map((call) => (call.truncated === true ? carrier({ cutCall: call }) : toToolCall(call))),
    ...unreadCalls.map((unreadCall) => carrier({ unreadCall })),
    ...providerCalls.map(toProviderCall),
    ...(metadata === undefined ? [] : [carrier({ metadata })]),
  ]
}

/** Empty reasoning: the one part that is empty by right, and that the AI SDK gives back with its metadata. */
function carrier(carried: Carried): LanguageModelV3Content {
  return { type: 'reasoning', text: '', ...carry(carried) }
}

export function toToolCall({ id, name, arguments: input, metadata }: RawToolCall): LanguageModelV3ToolCall {
  return { type: 'tool-call', toolCallId: id, toolName: name, input, ...(metadata && carry({ metadata })) }
}

/** What the provider ran is shown as such; what it asks its client to run, the AI SDK has no word for. */
export function toProviderCall(providerCall: ProviderCall): LanguageModelV3Content {
  const { type, by, id = '', name = type, raw } = providerCall
  if (by === 'client') return carrier({ providerCall })
  const call = {
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: toJson(raw),
    providerExecuted: true,
    dynamic: true,
  } as const
  return { ...call, ...carry({ providerCall }) }
}
