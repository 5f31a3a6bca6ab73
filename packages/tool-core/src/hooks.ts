/** The stages of a call at which an action can look in. */
import type { ToolContext } from './context.ts'
import { ToolError } from './errors.ts'

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

const STAGES: ReadonlySet<string> = new Set<keyof ActionHooks>([
  'beforeValidate',
  'afterValidate',
  'beforeExecute',
  'beforeValidateOutput',
  'afterValidateOutput',
  'afterExecute',
  'onError',
])

/** Throws `invalid_definition` for a hook that is no function, and for one that would never be called. */
export function assertHooks(hooks: unknown, owner: string): void {
  if (typeof hooks !== 'object' || hooks === null) {
    throw new ToolError('invalid_definition', `${owner}: hooks must be an object of functions.`)
  }
  for (const [stage, hook] of Object.entries(hooks)) {
    if (hook === undefined) continue
    if (STAGES.has(stage) && typeof hook === 'function') continue
    const words = STAGES.has(stage) ? 'is not a function' : `is no hook; there are ${[...STAGES].join(', ')}`
    throw new ToolError('invalid_definition', `${owner}: hooks.${stage} ${words}.`)
  }
}
