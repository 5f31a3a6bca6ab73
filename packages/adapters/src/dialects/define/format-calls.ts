/** Writes calls in a dialect, or returns the reason why they can't be written. */
import type { ToolSpec } from '@x/tool-core'
import { readArguments } from '../../arguments/parse.ts'
import type { RecoveredArguments } from '../../arguments/result.ts'
import type { RawToolCall } from '../../protocol/protocol.ts'
import type { DialectDefinition, WritableCall } from './definition.ts'
import type { Dialect, FormatRefusal, FormattedCalls } from './dialect.ts'

export function formatRawCalls(definition: DialectDefinition, calls: readonly RawToolCall[]): FormattedCalls {
  const writable: WritableCall[] = []
  for (const { id, name, arguments: text } of calls) {
    const parsed = readArguments(text)
    if (!parsed.ok) {
      const message = `The arguments of "${name}" cannot be written: ${parsed.message}`
      return { ok: false, code: 'invalid_arguments', message }
    }
    writable.push({ id, name, args: parsed.value, json: toJson(text, parsed) })
  }
  const formatted = formatWritable(definition, writable)
  if (!formatted.ok) return formatted
  for (const { name, arguments: text } of calls) {
    const lost = numbersOf(text).find((digits) => !formatted.text.includes(digits))
    if (lost === undefined) continue
    const message = `The call to "${name}" contains ${lost}, which JavaScript can't represent exactly. Pass it as a string.`
    return { ok: false, code: 'unrepresentable_value', message }
  }
  return formatted
}

/** Returns the numbers in JSON text that JavaScript may not represent exactly, in their original spelling. */
function numbersOf(json: string): readonly string[] {
  const outside = json.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"/g, '""')
  const numbers = outside.match(/-?\d[\d.eE+-]*/g) ?? []
  return numbers.filter((digits) => digits.length > SAFE_DIGITS || !Number.isFinite(Number(digits)))
}

/** Maximum number of digits that a JavaScript number always preserves. */
const SAFE_DIGITS = 15

/** Returns the arguments as JSON. Valid JSON isn't changed, so that no digit is lost. */
function toJson(text: string, { tags, value }: RecoveredArguments): string {
  return tags.length === 0 ? text.trim() : JSON.stringify(value)
}

export function formatWritable(definition: DialectDefinition, calls: readonly WritableCall[]): FormattedCalls {
  if (calls.length === 0) return { ok: true, text: '' }
  const text = definition.formatCalls(calls)
  return typeof text === 'string' ? { ok: true, text } : text
}

/** Returns a refusal if the written text would be parsed as different calls. */
export function findMisread(
  dialect: Dialect,
  text: string,
  calls: readonly RawToolCall[],
  tools: readonly ToolSpec[],
): FormatRefusal | undefined {
  const read = dialect.parse(text, { tools }).toolCalls
  const wrong = calls.find((call, index) => !isSameCall(call, read[index])) ?? (read.length > calls.length ? calls[0] : undefined)
  if (wrong === undefined) return undefined
  return {
    ok: false,
    code: 'unrepresentable_value',
    message: `The call to "${wrong.name}" cannot be written: its text would be parsed as a different call. Use a dialect that writes arguments as JSON.`,
  }
}

function isSameCall(call: RawToolCall, read: RawToolCall | undefined): boolean {
  if (read === undefined || read.name !== call.name || read.truncated) return false
  const [asked, found] = [readArguments(call.arguments), readArguments(read.arguments)]
  return asked.ok && found.ok && isSameValue(asked.value, found.value)
}

/** Compares JSON values, ignoring the order of keys. Iterative, so that it works for values of any depth. */
function isSameValue(left: unknown, right: unknown): boolean {
  const open: [unknown, unknown][] = [[left, right]]
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [one, other] = pair
    if (one === other) continue
    if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) return false
    const keys = Object.keys(one)
    if (keys.length !== Object.keys(other).length || keys.some((key) => !Object.hasOwn(other, key))) return false
    for (const key of keys) open.push([one[key], other[key]])
  }
  return true
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
