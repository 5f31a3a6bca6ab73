/** Calls the hooks of an action: one that throws or hangs stops the call and is named. */

import type { ActionHooks } from '../define/hooks.ts'
import { isToolError, ToolError } from '../errors.ts'
import { attempt, type Run } from './attempt.ts'
import type { ToolContext } from './context.ts'
import { toModelText } from './model-text.ts'

type Stage = Exclude<keyof ActionHooks, 'onError'>

/** What the hook gives in place of the value, or the value. */
export async function runHook(run: Run, stage: Stage, value: unknown): Promise<unknown> {
  const { tool, options } = run
  const hook = tool.hooks?.[stage] as ((value: unknown, context: ToolContext) => unknown) | undefined
  if (hook === undefined) return value
  try {
    const subject = `the ${stage} hook of "${tool.name}"`
    return (await attempt(run, subject, (context) => hook.call(tool.hooks, value, context))) ?? value
  } catch (cause) {
    if (options.signal?.aborted && isToolError(cause) && cause.code === 'aborted') throw cause
    throw new ToolError('hook_failed', `"${tool.name}" failed in its ${stage} hook: ${toModelText(cause)}`, { cause })
  }
}

/** Also of a tool without a deadline: nobody can abort this. In milliseconds. */
const LONGEST_REPORT_MS = 60_000

/** Calls `onError`. The hook's own failure never hides the error that it was called for: it is attached to it. */
export async function reportError({ tool, options }: Run, error: ToolError): Promise<void> {
  try {
    // Without the caller's signal: what was aborted wants its compensation too.
    const run: Run = {
      tool: { ...tool, timeoutMs: Math.min(tool.timeoutMs ?? LONGEST_REPORT_MS, LONGEST_REPORT_MS) },
      options: { ...options, signal: undefined },
    }
    await attempt(run, `the onError hook of "${tool.name}"`, (context) => tool.hooks?.onError?.(error, context))
  } catch (hookError) {
    // Reflect does not throw when the tool threw a frozen error.
    Reflect.defineProperty(error, 'hookError', { value: hookError, configurable: true })
  }
}
