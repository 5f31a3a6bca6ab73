/** Decodes a complete reply of the Messages API. */
import type { LMResponse, RawToolCall } from '../../protocol/protocol.ts'
import { rawIdMetadata } from '../block-calls.ts'
import type { CallIds } from '../call-ids.ts'
import { argumentsText, markTruncated } from '../calls.ts'
import { arrayAt, fieldAt, isObject, type JsonObject, objectAt, optional, stringAt } from '../read-json.ts'
import type { ReplyBlock } from '../signed-blocks.ts'
import { keepBlocks, NAME } from './kept-blocks.ts'
import { readError, readProviderCall, readRefusal, readUsage, toFinish } from './read.ts'

export function decodeReply(reply: unknown, ids: CallIds): LMResponse {
  const error = readError(reply)
  const blocks = arrayAt(reply, 'content').filter(isObject)
  const calls: RawToolCall[] = []
  const read = blocks.map((raw): ReplyBlock => {
    if (raw.type !== 'tool_use') return { raw }
    const call = readCall(raw, ids)
    calls.push(call)
    return { raw, callId: call.id }
  })
  const rawFinishReason = stringAt(reply, 'stop_reason')
  const finishReason = error ? 'error' : (toFinish(rawFinishReason) ?? (calls.length > 0 ? 'tool-calls' : undefined))
  const providerCalls = blocks.flatMap((block) => readProviderCall(block) ?? [])
  return {
    text: joined(blocks, 'text', 'text'),
    // Only the last block can be truncated; calls before it are complete.
    toolCalls: blocks.at(-1)?.type === 'tool_use' ? markTruncated(calls, finishReason) : calls,
    ...(providerCalls.length > 0 && { providerCalls }),
    ...optional({
      reasoning: joined(blocks, 'thinking', 'thinking') || undefined,
      refusal: readRefusal(reply),
      finishReason,
      rawFinishReason,
      usage: readUsage(objectAt(reply, 'usage')),
      error,
      metadata: keepBlocks(read, rawFinishReason, stringAt(objectAt(reply, 'container'), 'id')),
    }),
    raw: reply,
  }
}

function readCall(block: JsonObject, ids: CallIds): RawToolCall {
  const rawId = stringAt(block, 'id')
  const id = ids.take(rawId)
  const metadata = rawIdMetadata(NAME, rawId, id)
  const text = argumentsText(fieldAt(block, 'input'))
  return { id, name: stringAt(block, 'name') ?? '', arguments: text, ...(metadata && { metadata }) }
}

function joined(blocks: readonly JsonObject[], type: string, key: string): string {
  return blocks.map((block) => (block.type === type ? (stringAt(block, key) ?? '') : '')).join('')
}
