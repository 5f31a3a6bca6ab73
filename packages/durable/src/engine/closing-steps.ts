/** Wraps steps so that they can be closed: no new step starts, and running steps are awaited. */
import type { Steps } from '@x/react-agent/steps'
import { DurableError } from '../errors.ts'

export interface ClosingSteps extends Steps {
  /** Makes new steps reject with `reason`. Resolves when the running steps are recorded. */
  close(reason: unknown): Promise<void>
}

export function closingSteps(steps: Steps): ClosingSteps {
  const running = new Set<Promise<unknown>>()
  let closed: { readonly reason: unknown } | undefined
  const wait = async (key: string, about: unknown) => {
    assertKey(key)
    if (closed !== undefined) throw closed.reason
    return await steps.wait(key, about)
  }
  return {
    async run(key, execute) {
      assertKey(key)
      if (closed !== undefined) throw closed.reason
      const step = steps.run(key, execute)
      running.add(step)
      try {
        return await step
      } finally {
        running.delete(step)
      }
    },
    wait(key, about) {
      const waiting = wait(key, about)
      // The function may start several waits and await only one of them, so the others must not be reported as unhandled.
      waiting.catch(() => {})
      return waiting
    },
    async close(reason) {
      closed ??= { reason }
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

/**
 * The error for a branch that is still running after the function has ended or paused. If the function is called again, it requests the
 * step again.
 */
export function callEnded(): DurableError {
  return new DurableError(
    'closed',
    "The run function has returned or is waiting for a decision, so it can't start another step. Await all branches before it returns.",
  )
}

/** Throws `invalid_value` if the key isn't a string. */
export function assertKey(key: unknown): asserts key is string {
  if (typeof key === 'string') return
  throw new DurableError('invalid_value', `A step key or decision name must be a string, got a value of type ${typeof key}.`)
}
