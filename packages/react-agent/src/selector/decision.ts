/** What a selector decided: calls that nobody has run, and all that it could not make a call of. */
import type { RecoveredCall } from '@x/adapters'
import type { ToolCall } from '@x/tool-core'

export interface MultiToolDecision {
  /** Why these; empty when the selector does not ask for it. */
  readonly reasoning: string
  /** In the model's order, with arguments as their tools take them; a tool may be there twice. Run them with `dispatch`. */
  readonly toolCalls: readonly ToolCall[]
  readonly rejected: readonly RejectedCall[]
  /** For who runs what cannot be undone: the calls whose argument text had to be mended. */
  readonly recovered: readonly RecoveredCall[]
}

/**
 * - `unknown_tool`: the list has no tool of this name. - `invalid_arguments`: they do not fit the tool's schema.
 * - `invalid_tool_call_arguments`: they do not read as an object. - `invalid_tool_call`: a call without a name, or text that was
 * meant as one. - `not_selected`: arguments for a tool that was not selected. - `repeated`: a tool was named more often than
 * there are arguments for it, or its arguments were written twice. - `too_many`: more calls than the selector takes.
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
  /** As the model wrote it; empty where it wrote none. */
  readonly name: string
  readonly code: RejectedCode
  /** Fit for a model, to which it may be sent back. */
  readonly message: string
  /** What it is about, as the model wrote it, at most 2,000 characters. */
  readonly raw?: string | undefined
}

/** A call before it is checked. */
export interface DraftCall extends ToolCall {
  /** What was mended in the text of its arguments. */
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

/** At most `limit` characters, the last of which says that more was there. */
export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`
}
