/** The stages of a call at which an action can look in. */
import type { ToolContext } from '../call/context.ts'
import { ToolError } from '../errors.ts'

/** What a hook gives back: a replacement of what it was given, or nothing. */
type Replacement<Value> = Value | undefined | void | Promise<Value | undefined | void>

/**
 * Called around a call in the order of declaration below; each may return a replacement of what it was given, or nothing.
 * One that throws stops the call with `hook_failed`, which names it. What `afterValidate` and the hooks after it put in the
 * place of args or output is taken as it is, without another check. Calling `execute` yourself passes through none.
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

/** The names of all hooks, in the order of a call. */
export const HOOK_STAGES: readonly (keyof ActionHooks)[] = Object.freeze([
  'beforeValidate',
  'afterValidate',
  'beforeExecute',
  'beforeValidateOutput',
  'afterValidateOutput',
  'afterExecute',
  'onError',
] as const)

/** Throws `invalid_definition` for a hook that is no function, and for one that would never be called. */
export function assertHooks(hooks: unknown, owner: string): void {
  if (typeof hooks !== 'object' || hooks === null) {
    throw new ToolError('invalid_definition', `${owner}: hooks must be an object of functions.`)
  }
  for (const [stage, hook] of Object.entries(hooks)) {
    if (hook === undefined) continue
    const isKnown = HOOK_STAGES.some((known) => known === stage)
    if (isKnown && typeof hook === 'function') continue
    const words = isKnown ? 'is not a function' : `is no hook; there are ${HOOK_STAGES.join(', ')}`
    throw new ToolError('invalid_definition', `${owner}: hooks.${stage} ${words}.`)
  }
}
