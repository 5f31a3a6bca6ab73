/** Calls the hooks of an action. If a hook throws or times out, the call fails with an error that names the hook. */

import type { ToolContext } from '../define/context.ts'
import type { ActionHooks } from '../define/hooks.ts'
import { isToolError, ToolError } from '../errors.ts'
import { hookFailed } from '../prompts.ts'
import { attempt, type Invocation } from './attempt.ts'
import { toModelText } from './model-text.ts'

type Stage = Exclude<keyof ActionHooks, 'onError'>

const AFTER_EXECUTE: ReadonlySet<Stage> = new Set<Stage>(['beforeValidateOutput', 'afterValidateOutput', 'afterExecute'])

/** Runs a hook. Returns its replacement for the value, or the value itself if the hook returns nothing. */
export async function runHook(invocation: Invocation, stage: Stage, value: unknown): Promise<unknown> {
  const { tool, options } = invocation
  const hook = tool.hooks?.[stage] as ((value: unknown, context: ToolContext) => unknown) | undefined
  if (hook === undefined) return value
  try {
    const subject = `the ${stage} hook of "${tool.name}"`
    return (await attempt(invocation, subject, (context) => hook.call(tool.hooks, value, context))) ?? value
  } catch (cause) {
    if (options.signal?.aborted && isToolError(cause) && cause.code === 'aborted') throw cause
    const message = hookFailed(tool.name, stage, toModelText(cause), AFTER_EXECUTE.has(stage))
    throw new ToolError('hook_failed', message, { cause })
  }
}

/** Maximum duration of `onError`, in milliseconds. It applies even to a tool without a deadline, because `onError` can't be aborted. */
const LONGEST_REPORT_MS = 60_000

/** Calls `onError`. If the hook itself fails, its failure is attached to the error as `hookError`. */
export async function reportError({ tool, options }: Invocation, error: ToolError): Promise<void> {
  try {
    // Leaves out the caller's signal, because an aborted call needs compensation too.
    const invocation: Invocation = { tool, options: { ...options, signal: undefined } }
    const timeoutMs = Math.min(tool.timeoutMs ?? LONGEST_REPORT_MS, LONGEST_REPORT_MS)
    const report = (context: ToolContext) => tool.hooks?.onError?.(error, context)
    await attempt(invocation, `the onError hook of "${tool.name}"`, report, timeoutMs)
  } catch (hookError) {
    // Unlike Object.defineProperty, this doesn't throw for a frozen error.
    Reflect.defineProperty(error, 'hookError', { value: hookError, configurable: true })
  }
}
