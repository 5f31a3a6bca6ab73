/** The decision of a selector: calls that haven't been run, and rejected calls. */
import type { RecoveredCall } from '@x/adapters'
import type { ToolCall } from '@x/tool-core'

export interface MultiToolDecision {
  /** Why the model selected these tools. Empty with `reasoning: false`. */
  readonly reasoning: string
  /** Calls with validated arguments, in the model's order. A tool may appear more than once. Run them with `dispatch`. */
  readonly toolCalls: readonly ToolCall[]
  readonly rejected: readonly RejectedCall[]
  /** Calls whose argument text was repaired. Check these before you run something that can't be undone. */
  readonly recovered: readonly RecoveredCall[]
}

/**
 * Why a call was rejected. A model reads the message if you send it back. Fix: send the messages back, or show the model better names and
 * descriptions.
 *
 * - `unknown_tool`: the list has no tool with this name.
 * - `invalid_arguments`: the arguments don't match the tool's schema.
 * - `invalid_tool_call_arguments`: the arguments can't be parsed as an object.
 * - `invalid_tool_call`: a call without a name, or a malformed call.
 * - `not_selected`: arguments for a tool that wasn't selected.
 * - `repeated`: a tool was named more often than it has arguments, or its arguments were written twice.
 * - `too_many`: more calls than `maxTools`, or more than 100 names or unselected tools.
 */
export type RejectedCode =
  | 'unknown_tool'
  | 'invalid_arguments'
  | 'invalid_tool_call_arguments'
  | 'invalid_tool_call'
  | 'not_selected'
  | 'repeated'
  | 'too_many'

export interface RejectedCall {
  /** The name as the model wrote it. Empty if there was none. */
  readonly name: string
  readonly code: RejectedCode
  /** Written for a model, so it can be sent back. */
  readonly message: string
  /** The text that the model wrote, at most 2,000 characters. */
  readonly raw?: string | undefined
}

/** A call before validation. */
export interface DraftCall extends ToolCall {
  /** Repairs in the text of its arguments. */
  readonly tags: RecoveredCall['tags']
}

export interface DraftDecision {
  readonly reasoning: string
  readonly calls: readonly DraftCall[]
  readonly rejected: readonly RejectedCall[]
}

export function reject(code: RejectedCode, name: string, message: string, raw?: string): RejectedCall {
  return { name: shorten(name, 100), code, message, ...(raw !== undefined && { raw: shorten(raw, 2_000) }) }
}

/** Truncates text to `limit` characters. The last one is then an ellipsis. */
export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`
}
