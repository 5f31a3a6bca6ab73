/** Runs async generators as implementations. A generator yields progress and returns the output. */
import type { ToolContext } from './context.ts'

/** What `execute` may return. */
export type Execution<Output> = Output | Promise<Output> | AsyncGenerator<unknown, Output>

/** Returns the output of an execution. Runs a generator to its end, and passes each yielded value to `context.progress`. */
export function settleExecution<Output>(execution: Execution<Output>, context: ToolContext): Output | Promise<Output> {
  return isAsyncGenerator(execution) ? drain(execution, context) : execution
}

/**
 * Time in milliseconds after which a generator that never awaits is paused briefly. Without the pause, it would block the event loop and
 * the timer of its own deadline.
 */
const TURN_MS = 10

/**
 * Runs a generator to its end. Stops it after a yield if the call has timed out or was aborted, or if `progress` throws. Its `finally`
 * blocks still run. A generator that is awaiting something is stopped once it continues.
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
