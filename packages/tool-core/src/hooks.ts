/** The stages of a call at which an action can look in. */
import type { ToolContext } from './context.ts'
import type { ToolError } from './errors.ts'

/** What a hook gives back: a replacement of what it was given, or nothing. */
type Replacement<Value> = Value | undefined | void | Promise<Value | undefined | void>

/**
 * Called around a call in the order of declaration below; each may return a replacement of what it was given, or nothing.
 * One that throws stops the call with `hook_failed`, which names it. Calling `execute` yourself passes through none.
 */
export interface ActionHooks<Args extends object = object, Output = unknown> {
  beforeValidate?(args: Record<string, unknown>, context: ToolContext): unknown
  afterValidate?(args: Args, context: ToolContext): Replacement<Args>
  beforeExecute?(args: Args, context: ToolContext): Replacement<Args>
  beforeValidateOutput?(output: Output, context: ToolContext): unknown
  afterValidateOutput?(output: Output, context: ToolContext): Replacement<Output>
  afterExecute?(output: Output, context: ToolContext): Replacement<Output>
  /** Compensates or reports; called once, after retries, whatever stage failed. */
  onError?(error: ToolError, context: ToolContext): unknown
}
