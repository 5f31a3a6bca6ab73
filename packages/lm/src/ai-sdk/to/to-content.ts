/** Converts an `LMResponse` to AI SDK content. */
import type { LanguageModelV3Content, LanguageModelV3ToolCall } from '@ai-sdk/provider'
import type { LMResponse, ProviderCall, RawToolCall } from '@x/adapters'
import { type Carried, carry } from '../kept.ts'
import { toJson } from '../read.ts'

export function toContent(response: LMResponse): LanguageModelV3Content[] {
  const { reasoning, text, refusal, toolCalls, malformedCalls = [], providerCalls = [], metadata } = response
  return [
    ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...(refusal ? [{ type: 'text' as const, text: refusal, ...carry({ refusal: true }) }] : []),
    ...toolCalls.map((call) => (call.truncated === true ? carrier({ cutCall: call }) : toToolCall(call))),
    ...malformedCalls.map((malformedCall) => carrier({ malformedCall })),
    ...providerCalls.map(toProviderCall),
    ...(metadata === undefined ? [] : [carrier({ metadata })]),
  ]
}

/** Creates an empty reasoning part that carries data. The AI SDK drops every other kind of empty part. */
function carrier(carried: Carried): LanguageModelV3Content {
  return { type: 'reasoning', text: '', ...carry(carried) }
}

export function toToolCall({ id, name, arguments: input, metadata }: RawToolCall): LanguageModelV3ToolCall {
  return { type: 'tool-call', toolCallId: id, toolName: name, input, ...(metadata && carry({ metadata })) }
}

/**
 * Converts a provider's own call, marked as executed by the provider. The AI SDK has no part for a provider's call that the
 * client must execute, so such a call is carried in metadata.
 */
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
