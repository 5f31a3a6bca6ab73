/** What replies and streams of the Messages API have in common: the finish, the usage, the error. */
import type { FinishReason, ProviderCall, ProviderError, Usage } from '../../protocol/protocol.ts'
import { errorCode } from '../error-code.ts'
import { fieldAt, isObject, type JsonObject, numberAt, objectAt, optional, stringAt, toJson } from '../read-json.ts'

export function toFinish(reason: string | undefined): FinishReason | undefined {
  switch (reason) {
    case undefined:
    case '':
      return undefined
    case 'end_turn':
    case 'stop_sequence':
      return 'stop'
    case 'tool_use':
      return 'tool-calls'
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length'
    case 'refusal':
      return 'content-filter'
    // `pause_turn` among them: the assistant's turn goes back as it is, and the model goes on.
    default:
      return 'other'
  }
}

/** The API's input tokens are those that no cache holds. */
export function readUsage(usage: JsonObject | undefined): Usage | undefined {
  const uncached = numberAt(usage, 'input_tokens')
  const cacheReadTokens = numberAt(usage, 'cache_read_input_tokens')
  const cacheWriteTokens = numberAt(usage, 'cache_creation_input_tokens')
  const read = optional({
    inputTokens: uncached === undefined ? undefined : uncached + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: numberAt(usage, 'output_tokens'),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: numberAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens'),
  })
  return Object.keys(read).length === 0 ? undefined : read
}

/** Why the provider refused, in its words. */
export function readRefusal(message: unknown): string | undefined {
  return stringAt(objectAt(message, 'stop_details'), 'explanation') || undefined
}

/** Servers that speak this API write `error` as a text too, or a message alone. */
export function readError(body: unknown): ProviderError | undefined {
  const error = fieldAt(body, 'error')
  if (typeof error === 'string' && error !== '') return { message: error }
  if (isObject(error)) {
    const code = errorCode(stringAt(error, 'type'), fieldAt(error, 'code'))
    return { message: stringAt(error, 'message') || toJson(error), ...optional({ code }) }
  }
  if (fieldAt(body, 'type') === 'error') return { message: stringAt(body, 'message') ?? toJson(body) }
  if (fieldAt(body, 'content') !== undefined || fieldAt(body, 'type') !== undefined) return undefined
  const message = stringAt(body, 'message') ?? stringAt(body, 'detail')
  return message === undefined ? undefined : { message }
}

/** A call of a tool that runs at the provider: `server_tool_use`, `mcp_tool_use`. */
export function readProviderCall(block: JsonObject): ProviderCall | undefined {
  const type = stringAt(block, 'type') ?? ''
  if (type === 'tool_use' || !type.endsWith('tool_use')) return undefined
  return { type, by: 'provider', ...optional({ id: stringAt(block, 'id'), name: stringAt(block, 'name') }), raw: block }
}
