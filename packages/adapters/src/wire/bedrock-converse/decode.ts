/** Decodes a complete Converse reply. */
import type { LMResponse, RawToolCall } from '../../protocol/protocol.ts'
import { rawIdMetadata } from '../block-calls.ts'
import type { CallIds } from '../call-ids.ts'
import { argumentsText, markTruncated } from '../calls.ts'
import { arrayAt, fieldAt, isObject, type JsonObject, objectAt, optional, stringAt } from '../read-json.ts'
import type { ReplyBlock } from '../signed-blocks.ts'
import { keepBlocks, NAME, textOf } from './kept-blocks.ts'
import { readError, readProviderCall, readUsage, toFinish, toolUseOf } from './read.ts'

export function decodeReply(reply: unknown, ids: CallIds): LMResponse {
  const error = readError(reply)
  const blocks = arrayAt(objectAt(objectAt(reply, 'output'), 'message'), 'content').filter(isObject)
  const calls: RawToolCall[] = []
  const read = blocks.map((raw): ReplyBlock => {
    const toolUse = toolUseOf(raw)
    if (toolUse === undefined) return { raw }
    const call = readCall(toolUse, ids)
    calls.push(call)
    return { raw, callId: call.id }
  })
  const rawFinishReason = stringAt(reply, 'stopReason')
  const finishReason = error ? 'error' : (toFinish(rawFinishReason) ?? (calls.length > 0 ? 'tool-calls' : undefined))
  const providerCalls = blocks.flatMap((block) => readProviderCall(block) ?? [])
  return {
    text: blocks.map((block) => textOf(block) ?? '').join(''),
    // Only the last block can be truncated; calls before it are complete.
    toolCalls: toolUseOf(blocks.at(-1)) === undefined ? calls : markTruncated(calls, finishReason),
    ...(providerCalls.length > 0 && { providerCalls }),
    ...optional({
      reasoning: blocks.map(reasoningOf).join('') || undefined,
      finishReason,
      rawFinishReason,
      usage: readUsage(objectAt(reply, 'usage')),
      error,
      metadata: keepBlocks(read),
    }),
    raw: reply,
  }
}

function readCall(toolUse: JsonObject, ids: CallIds): RawToolCall {
  const rawId = stringAt(toolUse, 'toolUseId')
  const id = ids.take(rawId)
  const metadata = rawIdMetadata(NAME, rawId, id)
  const text = argumentsText(fieldAt(toolUse, 'input'))
  return { id, name: stringAt(toolUse, 'name') ?? '', arguments: text, ...(metadata && { metadata }) }
}

function reasoningOf(block: JsonObject): string {
  return stringAt(objectAt(objectAt(block, 'reasoningContent'), 'reasoningText'), 'text') ?? ''
}
