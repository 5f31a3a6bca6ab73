/** Decodes a complete reply of the Responses API. */

import { isCutBy } from '../../protocol/finish.ts'
import type { LMResponse, ProviderError, RawToolCall, Usage } from '../../protocol/protocol.ts'
import type { CallIds } from '../call-ids.ts'
import { argumentsText } from '../calls.ts'
import { errorCode } from '../error-code.ts'
import { readError } from '../openai-chat/read.ts'
import { arrayAt, fieldAt, numberAt, objectAt, optional, stringAt } from '../read-json.ts'
import {
  callIdOf,
  callMetadata,
  isAsked,
  isCall,
  itemsMetadata,
  readEnding,
  readItemReasoning,
  readItemRefusal,
  readItemText,
  toProviderCall,
} from './items.ts'

export function decodeReply(reply: unknown, ids: CallIds): LMResponse {
  const error = readError(reply)
  const items = arrayAt(reply, 'output')
  const providerCalls = items.map(toProviderCall).filter((call) => call !== undefined)
  const hasCalls = items.some((item) => isCall(item) || isAsked(item))
  const ending = readEnding(reply, hasCalls)
  const finishReason = error === undefined ? ending.finishReason : 'error'
  const isCut = isCutBy(finishReason)
  const calls = items.filter(isCall)
  const toolCalls = calls.map((item) => toRawCall(item, ids, isTruncated(item, isCut, item === items.at(-1))))
  const reasoning = items.map(readItemReasoning).join('')
  const refusal = items.map(readItemRefusal).join('')
  return {
    text: items.map(readItemText).join(''),
    toolCalls,
    ...(reasoning !== '' && { reasoning }),
    ...(refusal !== '' && { refusal }),
    ...optional({ finishReason, rawFinishReason: ending.rawFinishReason, usage: readUsage(reply), error }),
    ...(providerCalls.length > 0 && { providerCalls }),
    ...optional({ metadata: itemsMetadata(items) }),
    raw: reply,
  }
}

/**
 * True for a truncated item: one with the status `incomplete`, or, in a truncated reply (`isCut`), the last item and any item with the
 * status `in_progress`.
 */
export function isTruncated(item: unknown, isCut: boolean, isLast: boolean): boolean {
  const status = stringAt(item, 'status')
  return status === 'incomplete' || (isCut && (isLast || status === 'in_progress'))
}

export function readUsage(reply: unknown): Usage | undefined {
  const usage = objectAt(reply, 'usage')
  if (usage === undefined) return undefined
  const input = objectAt(usage, 'input_tokens_details')
  return optional({
    inputTokens: numberAt(usage, 'input_tokens'),
    outputTokens: numberAt(usage, 'output_tokens'),
    cacheReadTokens: numberAt(input, 'cached_tokens'),
    cacheWriteTokens: numberAt(input, 'cache_write_tokens'),
    reasoningTokens: numberAt(objectAt(usage, 'output_tokens_details'), 'reasoning_tokens'),
  })
}

/** Reads an `error` event, whose message is at the top level or in an object. The `type` of the event isn't an error code. */
export function readEventError(event: unknown): ProviderError {
  const error = fieldAt(event, 'error')
  const own = {
    message: stringAt(event, 'message') ?? 'The provider sent an error without a message.',
    ...optional({ code: errorCode(fieldAt(event, 'code')) }),
  }
  return error === undefined || error === null ? own : (readError(event) ?? own)
}

function toRawCall(item: unknown, ids: CallIds, truncated: boolean): RawToolCall {
  const id = ids.take(callIdOf(item))
  return {
    id,
    name: stringAt(item, 'name') ?? '',
    arguments: argumentsText(fieldAt(item, 'arguments')),
    ...(truncated && { truncated }),
    ...optional({ metadata: callMetadata(item, id) }),
  }
}
