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

/** Attaches data to an empty reasoning part. No other part may be empty and is still sent back by the AI SDK with its metadata. */
function carrier(carried: Carried): LanguageModelV3Content {
  return { type: 'reasoning', text: '', ...carry(carried) }
}

export function toToolCall({ id, name, arguments: input, metadata }: RawToolCall): LanguageModelV3ToolCall {
  return { type: 'tool-call', toolCallId: id, toolName: name, input, ...(metadata && carry({ metadata })) }
}

/**
 * Converts a provider's own call, and marks it as executed by the provider. If the client must execute the call, the AI SDK has no part for
 * it, so metadata carries it.
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
