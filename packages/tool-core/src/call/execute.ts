/** Runs the implementation: one attempt, and more while the error says that the same call may succeed. */

import type { Tool } from '../define/tool.ts'
import { isToolError } from '../errors.ts'
import { attempt, type Run } from './attempt.ts'
import { onAbort } from './deadline.ts'
import { isRetryable } from './failure.ts'
import { ownCopy } from './own-copy.ts'

/** Gives what the tool returned, at once or as a promise; rejects or throws with what it threw, `timeout` or `aborted`. */
export function execute(run: Run, args: object): unknown {
  return run.tool.maxRetries ? executeAgain(run, args, run.tool.maxRetries) : executeOnce(run, args)
}

function executeOnce(run: Run, args: object): unknown {
  return attempt(run, `"${run.tool.name}"`, (context) => run.tool.execute(args, context))
}

async function executeAgain(run: Run, args: object, retries: number): Promise<unknown> {
  const { signal } = run.options
  for (let retry = 0; ; retry++) {
    try {
      // A tool may change its arguments, and the next attempt is one at the same call.
      return await executeOnce(run, retry === retries ? args : ownCopy(args))
    } catch (error) {
      if (retry === retries || !mayRepeat(run.tool, error) || signal?.aborted) throw error
      await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry), signal)
      if (signal?.aborted) throw error
    }
  }
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** What was too busy a moment ago is given time, twice as much after each attempt. An abort ends the pause. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stopListening?.()
      resolve()
    }
    const timer = setTimeout(end, ms)
    const stopListening = signal && onAbort(signal, end)
  })
}

/** After a timeout nobody knows whether the effect took place, so only a tool that says it is harmless is repeated. */
function mayRepeat({ effect }: Tool, error: unknown): boolean {
  if (isToolError(error) && error.code === 'timeout') return effect === 'read' || effect === 'idempotent'
  return isRetryable(error)
}
