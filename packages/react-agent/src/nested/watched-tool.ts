/** A tool that reports when its execution has settled. */
import type { ActionHooks, Tool } from '@x/tool-core'

export interface Watch {
  /** Returns true once the execution is no longer awaited, because the call is waiting for decisions or was stopped. */
  isOver(): boolean
  onStart(): void
  /** Called soon after `execute` has settled, before its output is validated. */
  onReturn(): void
}

/** Returns the tool with these callbacks. Its `onError` hook isn't called for an execution that is no longer awaited. */
export function watchedTool(tool: Tool, { isOver, onStart, onReturn }: Watch): Tool {
  const execute: Tool['execute'] = (args, context) => {
    onStart()
    const settled = new Promise((resolve) => resolve(tool.execute(args, context)))
    settled.then(onReturn, onReturn)
    return settled
  }
  const { hooks } = tool
  const onError: ActionHooks['onError'] = (error, context) => (isOver() ? undefined : hooks?.onError?.(error, context))
  return Object.create(tool, {
    execute: { value: execute },
    ...(hooks?.onError && { hooks: { value: { ...hooks, onError } } }),
  }) as Tool
}
