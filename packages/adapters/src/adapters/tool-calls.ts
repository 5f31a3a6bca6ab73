/** Parses the raw calls of a response. Reports calls that can't be executed, and arguments that were repaired. */
import type { ToolCall } from '@x/tool-core'
import { parseArguments } from '../arguments/parse.ts'
import { isWhole } from '../protocol/finish.ts'
import type { FinishReason, LMResponse, RawToolCall } from '../protocol/protocol.ts'
import type { FieldError, RecoveredCall } from './adapter.ts'

/** Returns the calls that can be executed. Adds to `errors` and `recovered`. */
export function toToolCalls(field: string, response: LMResponse, errors: FieldError[], recovered: RecoveredCall[]): ToolCall[] {
  const { toolCalls, finishReason } = response
  const last = toolCalls.at(-1)
  const read: ToolCall[] = []
  for (const call of toolCalls) {
    const { id, name } = call
    if (name === '') {
      errors.push({
        code: 'invalid_tool_call',
        field,
        call,
        message: 'The call has no tool name. Call the tool again by its name.',
      })
      continue
    }
    const parsed = parseCall(call, isWholeCall(call, finishReason, call === last))
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

/** Returns the error message for a reply that reached its length limit. Contains the limit and how to raise it. */
export function cutOff({ usage, outputLimit }: LMResponse): string {
  const tokens = outputLimit?.tokens ?? usage?.outputTokens
  const message = `The reply was truncated at its length limit${tokens === undefined ? '' : ` of ${tokens} tokens`}.`
  if (outputLimit === undefined) return message
  return `${message} ${outputLimit.isMaximum ? "It is the model's maximum." : 'The setting maxOutputTokens can raise it.'}`
}

/**
 * Parses the arguments of a call. Text without its closing brackets may be truncated. It is accepted only if the provider
 * reported the reply as complete.
 */
function parseCall({ arguments: text }: RawToolCall, complete: boolean | undefined) {
  const parsed = parseArguments(text, { complete })
  const isClosedByUs = parsed.ok && parsed.tags.includes('missing_close') && complete !== true
  return isClosedByUs ? parseArguments(text, { complete: false }) : parsed
}

/**
 * Returns true if the call is complete, false if it is truncated, and undefined if that isn't certain. In a truncated reply, only
 * the last call can be incomplete, but the provider doesn't confirm that the others are complete.
 */
function isWholeCall({ truncated }: RawToolCall, finishReason: FinishReason | undefined, isLast: boolean): boolean | undefined {
  const isReplyWhole = isWhole(finishReason)
  if (truncated === true || (isLast && isReplyWhole === false)) return false
  return isReplyWhole === true ? true : undefined
}
