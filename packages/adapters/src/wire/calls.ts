/** Shared handling of a reply's calls: the text of their arguments, and whether the last one is incomplete. */

import { isCutBy } from '../protocol/finish.ts'
import type { FinishReason, RawToolCall } from '../protocol/protocol.ts'
import { toJson } from './read-json.ts'

/**
 * Text or an object, as the API sends it; a missing value becomes an empty string. Any other value is kept visible, so that it is
 * refused.
 */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : toJson(value)
}

/** Converts a call for an API that expects its arguments as JSON text. */
export function toFunctionCall({ id, name, arguments: text }: RawToolCall) {
  return { id, type: 'function' as const, function: { name, arguments: text.trim() === '' ? '{}' : text } }
}

/** The calls of a reply without streaming. If it was truncated, its last call is incomplete, even if it parses. */
export function markTruncated(calls: readonly RawToolCall[], finishReason: FinishReason | undefined): readonly RawToolCall[] {
  if (!isCutBy(finishReason)) return calls
  return calls.map((call, index) => (index === calls.length - 1 ? { ...call, truncated: true } : call))
}
