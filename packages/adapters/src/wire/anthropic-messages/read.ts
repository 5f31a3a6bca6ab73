/** Reads the finish reason, usage, errors and provider calls of the Messages API, in complete replies and in streams. */
import type { FinishReason, ProviderCall, ProviderError, Usage } from '../../protocol/protocol.ts'
import { errorCode } from '../error-code.ts'
import {
  arrayAt,
  countWith,
  fieldAt,
  isObject,
  type JsonObject,
  numberAt,
  objectAt,
  optional,
  stringAt,
  toJson,
} from '../read-json.ts'

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
    // Includes `pause_turn`. The assistant's turn is then sent back unchanged, and the model continues it.
    default:
      return 'other'
  }
}

/** Reads the usage. Adds the steps in which the API compacted the context, because its totals leave them out although they are billed. */
export function readUsage(usage: JsonObject | undefined): Usage | undefined {
  const compactions = arrayAt(usage, 'iterations').filter((step) => stringAt(step, 'type') === 'compaction')
  const total: { [name: string]: number } = {}
  for (const part of [usage, ...compactions])
    for (const [name, count] of Object.entries(readCounts(part))) total[name] = (total[name] ?? 0) + count
  return Object.keys(total).length === 0 ? undefined : total
}

/** Reads the counts of a reply or of one step. Adds cached tokens to the input tokens, because the API counts them separately. */
function readCounts(usage: unknown): Usage {
  const uncached = numberAt(usage, 'input_tokens')
  const cacheReadTokens = numberAt(usage, 'cache_read_input_tokens')
  const cacheWriteTokens = numberAt(usage, 'cache_creation_input_tokens')
  return optional({
    inputTokens: uncached === undefined ? undefined : countWith(uncached, cacheReadTokens, cacheWriteTokens),
    outputTokens: numberAt(usage, 'output_tokens'),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: numberAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens'),
  })
}

/** Reads the provider's explanation of a refusal. */
export function readRefusal(message: unknown): string | undefined {
  return stringAt(objectAt(message, 'stop_details'), 'explanation') || undefined
}

/** Reads an error. Some servers with this API send a string as `error`, or only a message. */
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

/** Reads a call to a tool that the provider executes, such as `server_tool_use` or `mcp_tool_use`. */
export function readProviderCall(block: JsonObject): ProviderCall | undefined {
  const type = stringAt(block, 'type') ?? ''
  if (type === 'tool_use' || !type.endsWith('tool_use')) return undefined
  return { type, by: 'provider', ...optional({ id: stringAt(block, 'id'), name: stringAt(block, 'name') }), raw: block }
}
