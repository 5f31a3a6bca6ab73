/** Parses the arguments of an earlier call, for APIs that require an object instead of text. */
import { readArguments } from '../arguments/parse.ts'
import type { RawToolCall } from '../protocol/protocol.ts'
import type { Lose } from './convert-once.ts'

/**
 * Parses and repairs the arguments in the same way as for executing the call. If they can't be parsed, returns `{}` and reports their
 * text as lost; the model has already received the error as the result of the call. Also reports a number beyond 2^53, which loses
 * precision.
 */
export function callInput({ arguments: text, truncated }: RawToolCall, index: number, lose: Lose): Record<string, unknown> {
  const path = `/toolCalls/${index}/arguments`
  const parsed = readArguments(text, truncated ? { complete: false } : {})
  if (!parsed.ok) {
    lose({ path, keyword: 'arguments', action: 'dropped', note: `${parsed.code}: ${text}` })
    return {}
  }
  const beyond = numberBeyond(parsed.value)
  if (beyond !== undefined)
    lose({ path, keyword: 'integer', action: 'dropped', note: `beyond 2^53: sent as ${JSON.stringify(beyond)}` })
  return parsed.value
}

/** Returns the first number beyond JavaScript's safe integers. Uses recursion, which is safe because the parser limits the depth. */
function numberBeyond(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const item of Object.values(value)) {
    const beyond = numberBeyond(item)
    if (beyond !== undefined) return beyond
  }
  return undefined
}
