/** What the calls of every reply have in common: the text of their arguments, and whether the last one is only a part. */

import { isCutBy } from '../protocol/finish.ts'
import type { FinishReason, RawToolCall } from '../protocol/protocol.ts'
import { toJson } from './read-json.ts'

/** A text or an object, as the API has it; no value is no text. What is neither stays visible, so that it is refused. */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : toJson(value)
}

/** For an API that has arguments as text, and reads it as JSON. */
export function toFunctionCall({ id, name, arguments: text }: RawToolCall) {
  return { id, type: 'function' as const, function: { name, arguments: text.trim() === '' ? '{}' : text } }
}

/** The calls of a whole reply: where it was cut off, it stopped in the last one, and what parses there may be only a part. */
export function markTruncated(calls: readonly RawToolCall[], finishReason: FinishReason | undefined): readonly RawToolCall[] {
  if (!isCutBy(finishReason)) return calls
  return calls.map((call, index) => (index === calls.length - 1 ? { ...call, truncated: true } : call))
}
