/** Decodes a complete Chat Completions reply, and the calls of a failed one. */
import type { LMResponse, RawToolCall } from '../../protocol/protocol.ts'
import type { CallIds } from '../call-ids.ts'
import { argumentsText, markTruncated } from '../calls.ts'
import { arrayAt, fieldAt, objectAt, optional, stringAt } from '../read-json.ts'
import { readFailedCalls, readFailedGeneration } from './failure.ts'
import { callMetadata, KeptFields, type ReplyHost } from './kept.ts'
import { ProviderCalls } from './provider-calls.ts'
import { choiceOf, readChoiceError, readError, readReasoning, readRefusal, readText, readUsage, toFinish } from './read.ts'

export function decodeReply(reply: unknown, ids: CallIds, host: ReplyHost): LMResponse {
  const choice = choiceOf(reply) ?? arrayAt(reply, 'choices')[0]
  const error = readError(reply) ?? readChoiceError(choice)
  const message = objectAt(choice, 'message')
  const rawFinishReason = stringAt(choice, 'finish_reason')
  const calls = readCalls(message, ids, host)
  // Some servers send an empty finish reason for a reply with calls.
  const finishReason = error ? 'error' : (toFinish(rawFinishReason) ?? (calls.length > 0 ? 'tool-calls' : undefined))
  const kept = new KeptFields(host)
  kept.push(reply, message)
  const provided = new ProviderCalls()
  provided.push(message)
  const providerCalls = provided.calls()
  const failed = readFailedGeneration(reply)
  return {
    text: readText(fieldAt(message, 'content')),
    toolCalls: markTruncated(calls, finishReason),
    ...optional({ reasoning: readReasoning(message), refusal: readRefusal(message) }),
    ...(finishReason && { finishReason }),
    ...optional({ rawFinishReason, usage: readUsage(reply), error }),
    ...(providerCalls.length > 0 && { providerCalls }),
    ...(failed !== undefined && { malformedCalls: [failed] }),
    ...optional({ metadata: kept.metadata() }),
    raw: reply,
  }
}

/**
 * Decodes the calls of a failed reply, and marks each of them as recovered. Undefined if the text contains anything but complete calls.
 */
export function decodeFailedReply(body: unknown, ids: CallIds, { name }: ReplyHost): LMResponse | undefined {
  const text = readFailedGeneration(body)
  const toolCalls = text === undefined ? undefined : readFailedCalls(text, ids, name)
  return toolCalls && { text: '', toolCalls, finishReason: 'tool-calls', ...optional({ usage: readUsage(body) }), raw: body }
}

function readCalls(message: unknown, ids: CallIds, host: ReplyHost): readonly RawToolCall[] {
  const legacy = objectAt(message, 'function_call')
  const entries = arrayAt(message, 'tool_calls')
  const calls = entries.length === 0 && legacy !== undefined ? [{ function: legacy }] : entries
  return calls.filter((entry) => isCall(objectAt(entry, 'function'))).map((entry) => toRawCall(entry, ids, host))
}

/** False for the empty placeholders that some servers send. */
function isCall(body: unknown): boolean {
  return (stringAt(body, 'name') ?? '') !== '' || argumentsText(fieldAt(body, 'arguments')) !== ''
}

function toRawCall(entry: unknown, ids: CallIds, host: ReplyHost): RawToolCall {
  const body = objectAt(entry, 'function')
  const rawId = stringAt(entry, 'id')
  const id = ids.take(rawId)
  return {
    id,
    name: stringAt(body, 'name') ?? '',
    arguments: argumentsText(fieldAt(body, 'arguments')),
    ...optional({ metadata: callMetadata(host, rawId, id, entry) }),
  }
}
