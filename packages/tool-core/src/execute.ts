/** Runs the implementation: one attempt, and more while the error says that the same call may succeed. */
import { attempt, type Run } from './attempt.ts'
import { isToolError } from './errors.ts'
import { isRetryable } from './failure.ts'
import type { Tool } from './tool.ts'

/** Gives what the tool returned, at once or as a promise; rejects or throws with what it threw, `timeout` or `aborted`. */
export function execute(run: Run, args: object): unknown {
  return run.tool.maxRetries ? executeAgain(run, args, run.tool.maxRetries) : executeOnce(run, args)
}

function executeOnce(run: Run, args: object): unknown {
  return attempt(run, `"${run.tool.name}"`, (context) => run.tool.execute(args, context))
}

async function executeAgain(run: Run, args: object, retries: number): Promise<unknown> {
  for (let left = retries; ; left--) {
    try {
      return await executeOnce(run, args)
    } catch (error) {
      if (left === 0 || !mayRepeat(run.tool, error) || run.options.signal?.aborted) throw error
    }
  }
}

/** After a timeout nobody knows whether the effect took place, so only a tool that says it is harmless is repeated. */
function mayRepeat({ effect }: Tool, error: unknown): boolean {
  if (isToolError(error) && error.code === 'timeout') return effect === 'read' || effect === 'idempotent'
  return isRetryable(error)
}
