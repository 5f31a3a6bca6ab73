/** Decodes a complete reply of Cohere's chat API. */
import type { LMResponse, RawToolCall } from '../../protocol/protocol.ts'
import { rawIdMetadata } from '../block-calls.ts'
import type { CallIds } from '../call-ids.ts'
import { argumentsText, markTruncated } from '../calls.ts'
import { readError } from '../openai-chat/read.ts'
import { arrayAt, fieldAt, objectAt, optional, stringAt } from '../read-json.ts'
import { readUsage, toFinish } from './read.ts'
import { readBlocks, textOf, thinkingOf, toMetadata } from './turn.ts'

export function decodeReply(reply: unknown, ids: CallIds): LMResponse {
  const error = readError(reply)
  const message = objectAt(reply, 'message')
  const blocks = readBlocks(fieldAt(message, 'content'))
  const plan = stringAt(message, 'tool_plan') ?? ''
  const calls = readEntries(message).flatMap((entry) => readCall(entry, ids))
  const rawFinishReason = stringAt(reply, 'finish_reason')
  const finishReason = error ? 'error' : toFinish(rawFinishReason, calls.length > 0)
  return {
    text: textOf(blocks),
    toolCalls: markTruncated(calls, finishReason),
    ...optional({
      // The plan counts as thinking if the model sends no other thinking.
      reasoning: thinkingOf(blocks) || plan || undefined,
      finishReason,
      rawFinishReason,
      usage: readUsage(reply),
      error,
      metadata: toMetadata(blocks, plan, arrayAt(message, 'citations')),
    }),
    raw: reply,
  }
}

/** Reads `tool_calls`: a list in a complete reply, a single object in a stream event. */
export function readEntries(message: unknown): readonly unknown[] {
  const entries = fieldAt(message, 'tool_calls')
  return Array.isArray(entries) ? entries : [entries]
}

function readCall(entry: unknown, ids: CallIds): RawToolCall[] {
  const body = objectAt(entry, 'function')
  const name = stringAt(body, 'name') ?? ''
  const text = argumentsText(fieldAt(body, 'arguments'))
  if (name === '' && text === '') return []
  const rawId = stringAt(entry, 'id')
  const id = ids.take(rawId)
  return [{ id, name, arguments: text, ...optional({ metadata: rawIdMetadata('cohere-v2', rawId, id) }) }]
}
