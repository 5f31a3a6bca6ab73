/** Helpers that several APIs share: converting arguments to text, and marking truncated calls. */

import { isCutBy } from '../protocol/finish.ts'
import type { FinishReason, RawToolCall } from '../protocol/protocol.ts'
import { toJson } from './read-json.ts'

/**
 * Returns the argument text of a call. A missing value becomes an empty string, and any value that isn't a string becomes JSON. Arguments
 * that aren't an object are rejected later.
 */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : toJson(value)
}

/** Converts a call for APIs that expect the arguments as JSON text. */
export function toFunctionCall({ id, name, arguments: text }: RawToolCall) {
  return { id, type: 'function' as const, function: { name, arguments: text.trim() === '' ? '{}' : text } }
}

/**
 * Marks the last call of a truncated reply as truncated, even if its arguments can be parsed. For complete replies only, not for streams.
 */
export function markTruncated(calls: readonly RawToolCall[], finishReason: FinishReason | undefined): readonly RawToolCall[] {
  if (!isCutBy(finishReason)) return calls
  return calls.map((call, index) => (index === calls.length - 1 ? { ...call, truncated: true } : call))
}
