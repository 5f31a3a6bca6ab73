/** Wraps steps so that they can be closed. After that, no new step starts, and running steps are awaited. */
import type { Steps } from '@x/react-agent/steps'
import { DurableError } from '../errors.ts'

export interface ClosingSteps extends Steps {
  /**
   * Makes new steps reject with `reason`. Resolves once the running steps are recorded. With `finishTogether`, a started group of
   * steps that belong together is completed: its remaining steps still start and are recorded.
   */
  close(reason: unknown, options?: { readonly finishTogether: boolean }): Promise<void>
}

export function closingSteps(steps: Steps): ClosingSteps {
  const running = new Set<Promise<unknown>>()
  /** For each running group, the keys of its steps. Groups may share steps. */
  const united = new Set<readonly string[]>()
  let closed: { readonly reason: unknown; readonly finishTogether: boolean } | undefined
  const track = async <T>(work: Promise<T>) => {
    running.add(work)
    try {
      return await work
    } finally {
      running.delete(work)
    }
  }
  /** Throws if the steps are closed and none of these belongs to a group that may still end. */
  const assertOpen = (keys: readonly string[]) => {
    if (closed === undefined) return
    const mayEnd = closed.finishTogether && [...united].some((group) => keys.some((key) => group.includes(key)))
    if (!mayEnd) throw closed.reason
  }
  const wait = async (key: string, about: unknown) => {
    assertKey(key)
    if (closed !== undefined) throw closed.reason
    return await steps.wait(key, about)
  }
  return {
    async run(key, execute) {
      assertKey(key)
      assertOpen([key])
      return await track(steps.run(key, execute))
    },
    async together(keys, work) {
      assertOpen(keys)
      const group = [...keys]
      united.add(group)
      try {
        return await track(steps.together === undefined ? work() : steps.together(keys, work))
      } finally {
        united.delete(group)
      }
    },
    wait(key, about) {
      const waiting = wait(key, about)
      // The function may start several waits and await only one. The others must not be reported as unhandled rejections.
      waiting.catch(() => {})
      return waiting
    },
    async close(reason, { finishTogether } = { finishTogether: false }) {
      closed ??= { reason, finishTogether }
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

/**
 * Returns the error for a step that is requested after the function has returned or paused. If the function is called again, it
 * requests the step again.
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
