/** Converts a Mistral reply, or an event of a stream, to the form of OpenAI's Chat Completions. */
import { arrayAt, isObject, type JsonObject, numberAt, objectAt, toJson } from '../read-json.ts'

export function toChatReply(reply: unknown): unknown {
  if (!isObject(reply)) return reply
  if (!Object.hasOwn(reply, 'choices')) return toChatError(reply)
  const usage = objectAt(reply, 'usage')
  return { ...reply, choices: arrayAt(reply, 'choices').map(toChatChoice), ...(usage && { usage: toChatUsage(usage) }) }
}

function toChatChoice(choice: unknown): unknown {
  const delta = objectAt(choice, 'delta')
  const message = objectAt(choice, 'message')
  if (!isObject(choice)) return choice
  return { ...choice, ...(delta && { delta: toChatMessage(delta) }), ...(message && { message: toChatMessage(message) }) }
}

function toChatMessage(message: JsonObject): JsonObject {
  const calls = arrayAt(message, 'tool_calls')
  return calls.length === 0 ? message : { ...message, tool_calls: calls.map(toChatCall) }
}

/** Removes the id "null", which Mistral sends for a call without an id. */
function toChatCall(call: unknown): unknown {
  return isObject(call) && call.id === 'null' ? { ...call, id: undefined } : call
}

function toChatUsage(usage: JsonObject): JsonObject {
  const cached_tokens = numberAt(usage, 'num_cached_tokens')
  return cached_tokens === undefined ? usage : { prompt_tokens_details: { cached_tokens }, ...usage }
}

/** Converts the message of an error to text. The message may be an object that lists invalid fields of the request. */
function toChatError(reply: JsonObject): JsonObject {
  const message = objectAt(reply, 'message')
  return message === undefined ? reply : { ...reply, message: toJson(message) }
}
