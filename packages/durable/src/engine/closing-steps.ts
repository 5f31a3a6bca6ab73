/** Steps that can be closed: none begins any more, and those under way are waited for. */
import type { Steps } from '@x/react-agent/steps'
import { DurableError } from '../errors.ts'

export interface ClosingSteps extends Steps {
  /** Whoever asks for another step hears `reason`. Resolves when what was under way is recorded. */
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
      // Of several that are waited for at once, the function may await one alone.
      waiting.catch(() => {})
      return waiting
    },
    async close(reason) {
      closed ??= { reason }
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

/** What a branch of a function hears that goes on when the function has ended or waits: when it is called again, that asks anew. */
export function callEnded(): DurableError {
  return new DurableError('closed', 'The function of the run has ended or waits: in this call of it no step begins any more.')
}

/** Throws `invalid_value`. */
export function assertKey(key: unknown): asserts key is string {
  if (typeof key === 'string') return
  throw new DurableError('invalid_value', `A step's key, or the name of a decision, is of type ${typeof key}. Give a text.`)
}
