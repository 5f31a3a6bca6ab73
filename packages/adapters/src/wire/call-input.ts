/** The arguments of an earlier call for APIs that take an object and no text. */
import { readArguments } from '../arguments/parse.ts'
import type { RawToolCall } from '../protocol/protocol.ts'
import type { Lose } from './convert-once.ts'

/**
 * The object that the call was run with: read as the arguments of a call are, repaired where that has one reading. A text that is
 * refused goes out as `{}`, the only object that claims nothing; the loss holds the text, and the call's result says what was
 * wrong. A number beyond 2^53 goes out with the digits that JavaScript holds, which is a loss too.
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

/** The first one whose digits JavaScript need not hold. The value is of bounded depth. */
function numberBeyond(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const item of Object.values(value)) {
    const beyond = numberBeyond(item)
    if (beyond !== undefined) return beyond
  }
  return undefined
}
