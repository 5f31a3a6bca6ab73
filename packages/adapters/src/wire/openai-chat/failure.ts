/**
 * Recovers calls from Groq's `failed_generation`, which contains the model's text if its calls don't match the tools. The text must
 * consist of calls only: JSON by itself, in a code fence or between tags, or Llama's `<function=name>{…}</function>`, whose opening tag
 * may be incomplete or missing.
 */
import type { RawToolCall } from '../../protocol/protocol.ts'
import type { CallIds } from '../call-ids.ts'
import { argumentsText } from '../calls.ts'
import { arrayAt, fieldAt, isObject, objectAt, parseJson, stringAt } from '../read-json.ts'

/**
 * Returns the model's text if a reply failed because of its calls. The text of other failures, such as JSON that doesn't match the
 * schema, contains no calls.
 */
export function readFailedGeneration(body: unknown): string | undefined {
  const error = fieldAt(body, 'error')
  return stringAt(error, 'code') === 'tool_use_failed' ? stringAt(error, 'failed_generation') || undefined : undefined
}

/** Reads the calls. Undefined if the text contains anything but calls. */
export function readFailedCalls(text: string, ids: CallIds, wire: string): readonly RawToolCall[] | undefined {
  const found = readBlocks(withoutFence(text.trim()))
  if (found === undefined || found.length === 0) return undefined
  return found.map((call) => ({ id: ids.take(undefined), ...call, metadata: { [wire]: { recovered: 'failed_generation' } } }))
}

type FoundCall = Pick<RawToolCall, 'name' | 'arguments'>

function withoutFence(text: string): string {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE) || text.length < 2 * FENCE.length) return text
  const inner = text.slice(FENCE.length, -FENCE.length)
  return (inner.startsWith('json') ? inner.slice('json'.length) : inner).trim()
}

const FENCE = '```'

function readBlocks(text: string): readonly FoundCall[] | undefined {
  const calls: FoundCall[] = []
  let rest = text
  while (rest.startsWith('<')) {
    const tag = TAGS.find(({ open }) => rest.startsWith(open))
    const end = tag === undefined ? -1 : rest.indexOf(tag.close)
    if (tag === undefined || end < 0) return undefined
    const found = tag.read(rest.slice(tag.open.length, end).trim())
    if (found === undefined) return undefined
    calls.push(...found)
    rest = rest.slice(end + tag.close.length).trimStart()
  }
  if (rest === '') return calls
  const found = rest.endsWith(CLOSE) ? readNamedCall(rest.slice(0, -CLOSE.length).trim()) : readJsonCalls(rest)
  return found === undefined ? undefined : [...calls, ...found]
}

const CLOSE = '</function>'
const TAGS = [
  { open: '<function=', close: CLOSE, read: readNamedCall },
  { open: '<tool_call>', close: '</tool_call>', read: readJsonCalls },
  { open: '<tool-use>', close: '</tool-use>', read: readJsonCalls },
]

/** Reads `name{…}`, `name>{…}` or `name({…})`. */
function readNamedCall(text: string): readonly FoundCall[] | undefined {
  const start = text.indexOf('{')
  const name = text.slice(0, Math.max(0, start)).replace(/[\s>(,]{1,8}$/, '')
  const args = text.slice(start).replace(/\)$/, '')
  return start > 0 && /^[\w.:-]{1,128}$/.test(name) && isObject(parseJson(args)) ? [{ name, arguments: args }] : undefined
}

function readJsonCalls(text: string): readonly FoundCall[] | undefined {
  const value = parseJson(text)
  const list = Array.isArray(value) ? value : arrayAt(value, 'tool_calls')
  const calls = (list.length > 0 ? list : [value]).map(readJsonCall)
  return calls.every((call) => call !== undefined) ? calls : undefined
}

function readJsonCall(value: unknown): FoundCall | undefined {
  const body = objectAt(value, 'function') ?? value
  const name = stringAt(body, 'name')
  const args = fieldAt(body, 'arguments') ?? fieldAt(body, 'parameters')
  const text = argumentsText(args)
  return name && isObject(typeof args === 'string' ? parseJson(text) : args) ? { name, arguments: text } : undefined
}
