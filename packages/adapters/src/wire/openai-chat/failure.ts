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
  return (stringAt(error, 'code') === 'tool_use_failed' && stringAt(error, 'failed_generation')) || undefined
}

/** Reads the calls. Undefined if the text contains anything but calls. */
export function readFailedCalls(text: string, ids: CallIds, wire: string): readonly RawToolCall[] | undefined {
  const found = readBlocks(text.trim().replace(FENCE, '$1').trim())
  if (!found?.length) return undefined
  return found.map((call) => ({ id: ids.take(undefined), ...call, metadata: { [wire]: { recovered: 'failed_generation' } } }))
}

type FoundCall = Pick<RawToolCall, 'name' | 'arguments'>

const FENCE = /^```(?:json)?(.*)```$/s
const BLOCK = /^<(?:(function)=|(tool_call|tool-use)>)(.*?)<\/\1\2>\s*/s

function readBlocks(text: string): readonly FoundCall[] | undefined {
  const calls: FoundCall[] = []
  let rest = text
  for (let block = BLOCK.exec(rest); block !== null; block = BLOCK.exec(rest)) {
    const [whole, isNamed, , body] = block
    const found = (isNamed ? readNamedCall : readJsonCalls)((body as string).trim())
    if (found === undefined) return undefined
    calls.push(...found)
    rest = rest.slice(whole.length)
  }
  if (rest === '') return calls
  const found = rest.endsWith(CLOSE) ? readNamedCall(rest.slice(0, -CLOSE.length).trim()) : readJsonCalls(rest)
  return found && [...calls, ...found]
}

const CLOSE = '</function>'

/** Reads `name{…}`, `name>{…}` or `name({…})`. */
function readNamedCall(text: string): readonly FoundCall[] | undefined {
  const [, name = '', args = ''] = /^([\w.:-]{1,128})[\s>(,]{0,8}(\{.*?)\)?$/s.exec(text) ?? []
  return isObject(parseJson(args)) ? [{ name, arguments: args }] : undefined
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
