/** The arguments of an earlier call for APIs that take an object and no text. */
import { parseArguments } from '../arguments/parse.ts'
import type { RawToolCall } from '../protocol.ts'
import type { Lose } from './by-message.ts'

/**
 * The object that the call was run with: read as the arguments of a call are, mended where that has one reading. A text that is
 * refused goes out as `{}`, the only object that claims nothing; the loss holds the text, and the call's result says what was wrong.
 */
export function callInput({ arguments: text, truncated }: RawToolCall, index: number, lose: Lose): Record<string, unknown> {
  const parsed = parseArguments(text, truncated ? { complete: false } : {})
  if (parsed.ok) return parsed.value
  lose({ path: `/toolCalls/${index}/arguments`, keyword: 'arguments', action: 'dropped', note: `${parsed.code}: ${text}` })
  return {}
}
