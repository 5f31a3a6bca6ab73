/** Normalizes responses that violate the LM interface, for example from your own LM or from a proxy. */
import { isRecord } from '../is-record.ts'
import type { LMResponse, RawToolCall } from './protocol.ts'

/**
 * Returns the same response if it is valid. A `text` that isn't a string becomes empty. Calls may be an array, a single call, or
 * an object with `tool_calls`. A call's arguments may be in `args`, be an object, or be inside `function`. `call_id` takes
 * precedence over `id`. An invalid entry becomes a call without a name, so that it is reported. Anything else is added to
 * `malformedCalls`.
 */
export function toSoundResponse(response: LMResponse): LMResponse {
  const { text, toolCalls }: Loose = response
  if (typeof text === 'string' && Array.isArray(toolCalls) && toolCalls.every(isSound)) return response
  const sound = { ...response, text: typeof text === 'string' ? text : '' }
  const list = toList(toolCalls)
  if (list !== undefined) return { ...sound, toolCalls: list.map(toRawCall) }
  return { ...sound, toolCalls: [], malformedCalls: [...(response.malformedCalls ?? []), toText(toolCalls)] }
}

interface Loose {
  readonly text?: unknown
  readonly toolCalls?: unknown
}

function isSound(call: unknown): call is RawToolCall {
  return isRecord(call) && [call.id, call.name, call.arguments].every((part) => typeof part === 'string')
}

function toList(calls: unknown): readonly unknown[] | undefined {
  if (calls === undefined || calls === null) return []
  if (Array.isArray(calls)) return calls
  if (!isRecord(calls)) return undefined
  if (!('tool_calls' in calls)) return [calls]
  return Array.isArray(calls.tool_calls) ? calls.tool_calls : undefined
}

/** Normalizes one call. A missing id is derived from the position, so that normalizing again gives the same id. */
function toRawCall(call: unknown, index: number): RawToolCall {
  if (isSound(call)) return call
  if (!isRecord(call)) return { id: `call_${index}`, name: '', arguments: toText(call) }
  const { function: inner, id, call_id, name, arguments: text, args, ...rest } = call
  const own = isRecord(inner)
    ? { ...inner, ...(inner.arguments === undefined && { arguments: inner.args }) }
    : { name, arguments: text ?? args }
  return {
    ...rest,
    id: [call_id, id].find(isWord) ?? `call_${index}`,
    name: isWord(own.name) ? own.name : '',
    arguments: own.arguments === undefined || own.arguments === null ? '' : toText(own.arguments),
  }
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
