/** Hooks of an action: functions that run at the stages of a call. */

import { describeValue } from '../describe-value.ts'
import { ToolError } from '../errors.ts'
import type { ToolContext } from './context.ts'

/** What a hook returns: a replacement for the value it received, or nothing. */
type Replacement<Value> = Value | undefined | void | Promise<Value | undefined | void>

/**
 * Hooks run in the order of this declaration. Each may return a replacement for the value it received, or nothing. If a hook throws, the
 * call fails with `hook_failed`, and the message names the hook. A replacement from `afterValidate`, `beforeExecute`, `afterValidateOutput`
 * or `afterExecute` isn't validated again. Calling `execute` directly runs no hooks.
 */
export interface ActionHooks<Args extends object = object, Output = unknown> {
  beforeValidate?(args: Record<string, unknown>, context: ToolContext): unknown
  afterValidate?(args: Args, context: ToolContext): Replacement<Args>
  beforeExecute?(args: Args, context: ToolContext): Replacement<Args>
  beforeValidateOutput?(output: Output, context: ToolContext): unknown
  afterValidateOutput?(output: Output, context: ToolContext): Replacement<Output>
  afterExecute?(output: Output, context: ToolContext): Replacement<Output>
  /** Called once after any stage has failed and all retries are used up. Use it to compensate for the failure or to report it. */
  onError?(error: ToolError, context: ToolContext): unknown
}

/** The names of all hooks, in execution order. */
export const HOOK_STAGES: readonly (keyof ActionHooks)[] = Object.freeze([
  'beforeValidate',
  'afterValidate',
  'beforeExecute',
  'beforeValidateOutput',
  'afterValidateOutput',
  'afterExecute',
  'onError',
] as const)

/** Throws `invalid_definition` for a hook that isn't a function, and for an unknown name. */
export function assertHooks(hooks: unknown, owner: string): void {
  if (typeof hooks !== 'object' || hooks === null) {
    throw new ToolError('invalid_definition', `${owner}: hooks must be an object of functions, got ${describeValue(hooks)}.`)
  }
  for (const [stage, hook] of Object.entries(hooks)) {
    if (hook === undefined) continue
    const isKnown = HOOK_STAGES.some((known) => known === stage)
    if (isKnown && typeof hook === 'function') continue
    const words = isKnown
      ? `must be a function, got ${describeValue(hook)}`
      : `is not a hook. The hooks are ${HOOK_STAGES.join(', ')}`
    throw new ToolError('invalid_definition', `${owner}: hooks.${stage} ${words}.`)
  }
}
