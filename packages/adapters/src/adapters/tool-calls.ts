/** The raw calls of a response to calls with checked argument text; what was repaired on the way, and what cannot be called. */
import type { ToolCall } from '@x/tool-core'
import { parseArguments } from '../arguments/parse.ts'
import { isWhole } from '../protocol/finish.ts'
import type { FinishReason, LMResponse, RawToolCall } from '../protocol/protocol.ts'
import type { FieldError, RecoveredCall } from './adapter.ts'

/** Errors and repaired calls are added to their lists. */
export function toToolCalls(field: string, response: LMResponse, errors: FieldError[], recovered: RecoveredCall[]): ToolCall[] {
  const { toolCalls, finishReason } = response
  const last = toolCalls.at(-1)
  const read: ToolCall[] = []
  for (const call of toolCalls) {
    const { id, name } = call
    if (name === '') {
      errors.push({ code: 'invalid_tool_call', field, call, message: 'The call has no tool name. Make it again with one.' })
      continue
    }
    const parsed = readArguments(call, isWholeCall(call, finishReason, call === last))
    if (!parsed.ok) {
      const reason = parsed.code === 'truncated' && finishReason === 'length' ? `${cutOff(response)} ` : ''
      const message = `${reason}Invalid arguments for "${name}": ${parsed.message}`
      errors.push({ code: 'invalid_tool_call_arguments', field, call, message })
      continue
    }
    if (parsed.tags.length > 0) recovered.push({ callId: id, tags: parsed.tags })
    read.push({ id, name, args: parsed.value })
  }
  return read
}

/** Of a reply that ended at its limit, which is what it used. */
export function cutOff({ usage }: LMResponse): string {
  const { outputTokens } = usage ?? {}
  return `The reply was cut off at its length limit${outputTokens === undefined ? '' : ` of ${outputTokens} tokens`}.`
}

/** A text that had to be closed may have been cut off: it is no call unless the provider said that it was not. */
function readArguments({ arguments: text }: RawToolCall, complete: boolean | undefined) {
  const parsed = parseArguments(text, { complete })
  const isClosedByUs = parsed.ok && parsed.tags.includes('missing_close') && complete !== true
  return isClosedByUs ? parseArguments(text, { complete: false }) : parsed
}

/** When a reply was cut off, only the last of its calls can be; the others are over, as far as anybody said. */
function isWholeCall({ truncated }: RawToolCall, finishReason: FinishReason | undefined, isLast: boolean): boolean | undefined {
  const isReplyWhole = isWhole(finishReason)
  if (truncated === true || (isLast && isReplyWhole === false)) return false
  return isReplyWhole === true ? true : undefined
}
