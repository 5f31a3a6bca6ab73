/** Implementations that are async generators: they yield progress and return the output. */
import type { ToolContext } from './context.ts'

/** What `execute` may return. */
export type Execution<Output> = Output | Promise<Output> | AsyncGenerator<unknown, Output>

/** Returns the output of an execution. Runs a generator to its end, and reports each yielded value to `context.progress`. */
export function settleExecution<Output>(execution: Execution<Output>, context: ToolContext): Output | Promise<Output> {
  return isAsyncGenerator(execution) ? drain(execution, context) : execution
}

/** How long a generator that never awaits may block the event loop, and with it the timer of its deadline. */
const TURN_MS = 10

/**
 * Stops the generator between two yields when the call has timed out or been aborted, or when `progress` throws. Its `finally` blocks
 * run. A generator that is awaiting something is stopped once it continues.
 */
async function drain<Output>(generator: AsyncGenerator<unknown, Output>, context: ToolContext): Promise<Output> {
  const { signal } = context
  let turnEnds = performance.now() + TURN_MS
  try {
    for (;;) {
      const { done, value } = await generator.next()
      if (done) return value
      if (performance.now() > turnEnds) {
        // Awaiting a settled promise doesn't let timers fire.
        await new Promise((resolve) => setTimeout(resolve, 0))
        turnEnds = performance.now() + TURN_MS
      }
      if (signal.aborted) throw signal.reason
      context.progress(value)
    }
  } catch (error) {
    await generator.return(undefined as never)
    throw error
  }
}

function isAsyncGenerator<Output>(execution: Execution<Output>): execution is AsyncGenerator<unknown, Output> {
  if (typeof execution !== 'object' || execution === null || !(Symbol.asyncIterator in execution)) return false
  return typeof (execution as Partial<AsyncGenerator>).next === 'function' && typeof execution.return === 'function'
}
