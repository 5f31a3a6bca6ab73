/** A response of an LM that keeps the contract loosely, as one that keeps it: for an LM of your own, or a proxy's JSON. */
import { isRecord } from '../is-record.ts'
import type { LMResponse, RawToolCall } from './protocol.ts'

/**
 * The same object where there is nothing to do. A text that is none is empty. Calls may be a list, one call, or
 * `{ tool_calls: […] }`; a call may hold its arguments as `args`, as an object, or inside `function`, and its id as `call_id`, which
 * goes before `id`. An entry that is no call becomes one without a name, so that it is told; a list that is none is `malformedCalls`.
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

/** Ids are minted by place, so that a second look gives the same. */
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
