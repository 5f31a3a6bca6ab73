/** Implementations that report progress by yielding: an async generator's yields are progress, what it returns is the output. */
import type { ToolContext } from './context.ts'

/** What an implementation may give back. */
export type Execution<Output> = Output | Promise<Output> | AsyncGenerator<unknown, Output>

/** The output of an execution; a generator is run to its end, and each value that it yields is reported to `context.progress`. */
export function settleExecution<Output>(execution: Execution<Output>, context: ToolContext): Output | Promise<Output> {
  return isAsyncGenerator(execution) ? drain(execution, context) : execution
}

/** How long a generator that never waits for anything may keep the process from doing other things, its deadline included. */
const TURN_MS = 10

/**
 * Stops between two yields when the call was given up on, so that the generator's `finally` blocks run; also when `progress`
 * throws. One that waits in between is stopped as soon as it goes on.
 */
async function drain<Output>(generator: AsyncGenerator<unknown, Output>, context: ToolContext): Promise<Output> {
  const { signal } = context
  let turnEnds = performance.now() + TURN_MS
  try {
    for (;;) {
      const { done, value } = await generator.next()
      if (done) return value
      if (performance.now() > turnEnds) {
        // A promise alone lets no timer fire.
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
