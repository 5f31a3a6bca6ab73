/** Decodes a complete reply of Ollama's chat API. */
import type { LMResponse, RawToolCall } from '../../protocol/protocol.ts'
import { rawIdMetadata } from '../block-calls.ts'
import type { CallIds } from '../call-ids.ts'
import { markTruncated } from '../calls.ts'
import { readError } from '../openai-chat/read.ts'
import { objectAt, optional, stringAt } from '../read-json.ts'
import { readCalls, readUsage, toFinish, type WireCall } from './read.ts'

export function decodeReply(reply: unknown, ids: CallIds): LMResponse {
  const error = readError(reply)
  const message = objectAt(reply, 'message')
  const calls = readCalls(message).map((call) => toRawCall(call, ids))
  const finishReason = error ? 'error' : toFinish(reply, calls.length > 0)
  return {
    text: stringAt(message, 'content') ?? '',
    toolCalls: markTruncated(calls, finishReason),
    ...optional({
      reasoning: stringAt(message, 'thinking') || undefined,
      finishReason,
      rawFinishReason: stringAt(reply, 'done_reason'),
      usage: readUsage(reply),
      error,
    }),
    raw: reply,
  }
}

function toRawCall({ rawId, name, arguments: text }: WireCall, ids: CallIds): RawToolCall {
  const id = ids.take(rawId)
  return { id, name, arguments: text, ...optional({ metadata: rawIdMetadata('ollama', rawId, id) }) }
}
