/** Reads calls, the finish reason, usage and errors of Converse, in complete replies and in streams. */
import type { FinishReason, ProviderCall, ProviderError, Usage } from '../../protocol/protocol.ts'
import { errorCode } from '../error-code.ts'
import { countWith, fieldAt, isObject, type JsonObject, numberAt, objectAt, optional, stringAt, toJson } from '../read-json.ts'

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
    case 'guardrail_intervened':
    case 'content_filtered':
      return 'content-filter'
    case 'malformed_tool_use':
    case 'malformed_model_output':
      return 'error'
    default:
      return 'other'
  }
}

/** Reads the usage. Adds cached tokens to the input tokens, because the API counts them separately. */
export function readUsage(usage: JsonObject | undefined): Usage | undefined {
  const uncached = numberAt(usage, 'inputTokens')
  const cacheReadTokens = numberAt(usage, 'cacheReadInputTokens') ?? numberAt(usage, 'cacheReadInputTokenCount')
  const cacheWriteTokens = numberAt(usage, 'cacheWriteInputTokens') ?? numberAt(usage, 'cacheWriteInputTokenCount')
  const read = optional({
    inputTokens: uncached === undefined ? undefined : countWith(uncached, cacheReadTokens, cacheWriteTokens),
    outputTokens: numberAt(usage, 'outputTokens'),
    cacheReadTokens,
    cacheWriteTokens,
  })
  return Object.keys(read).length === 0 ? undefined : read
}

/** Reads an error: `{ message }`, or `{ Message }` from the API's gateway. If there is a `__type`, it ends with the name of the error. */
export function readError(body: unknown): ProviderError | undefined {
  if (fieldAt(body, 'output') !== undefined) return undefined
  const error = fieldAt(body, 'error')
  const message = stringAt(body, 'message') ?? stringAt(body, 'Message') ?? (typeof error === 'string' ? error : undefined)
  if (message !== undefined) {
    const code = errorCode(stringAt(body, '__type')?.split('#').at(-1), stringAt(body, 'code'))
    return { message: message || toJson(body), ...optional({ code }) }
  }
  return isObject(error)
    ? {
        message: stringAt(error, 'message') || toJson(error),
        ...optional({ code: errorCode(stringAt(error, 'type'), fieldAt(error, 'code')) }),
      }
    : undefined
}

/** Reads an exception event of a stream, such as `{ throttlingException: { message } }`. */
export function readException(event: unknown): ProviderError | undefined {
  if (!isObject(event)) return undefined
  const name = Object.keys(event).find((key) => key.toLowerCase().endsWith('exception'))
  if (name === undefined) return readError(event)
  const payload = fieldAt(event, name)
  return { message: readError(payload)?.message ?? toJson(payload), code: name }
}

/** Returns the call in a block if it is a call to one of the request's tools. Calls that the provider executes have another type. */
export function toolUseOf(block: unknown): JsonObject | undefined {
  const call = objectAt(block, 'toolUse')
  return call === undefined || isProviderRun(call) ? undefined : call
}

export function readProviderCall(block: JsonObject): ProviderCall | undefined {
  const call = objectAt(block, 'toolUse')
  if (call === undefined || !isProviderRun(call)) return undefined
  const named = optional({ id: stringAt(call, 'toolUseId'), name: stringAt(call, 'name') })
  return { type: stringAt(call, 'type') ?? '', by: 'provider', ...named, raw: block }
}

function isProviderRun(call: JsonObject): boolean {
  const type = stringAt(call, 'type')
  return type !== undefined && type !== 'tool_use'
}
