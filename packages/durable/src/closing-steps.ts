/** Steps that can be closed: none begins any more, and those under way are waited for. */
import type { Steps } from '@x/react-agent/steps'

export interface ClosingSteps extends Steps {
  /** Whoever asks for another step hears `reason`. Resolves when what was under way is recorded. */
  close(reason: unknown): Promise<void>
  /** Resolves when no step is under way. */
  quiet(): Promise<void>
}

export function closingSteps(steps: Steps): ClosingSteps {
  const running = new Set<Promise<unknown>>()
  let closed: { readonly reason: unknown } | undefined
  const quiet = async () => {
    while (running.size > 0) await Promise.allSettled(running)
  }
  return {
    async run(key, execute) {
      if (closed !== undefined) throw closed.reason
      const step = steps.run(key, execute)
      running.add(step)
      try {
        return await step
      } finally {
        running.delete(step)
      }
    },
    async wait(key, about) {
      if (closed !== undefined) throw closed.reason
      return await steps.wait(key, about)
    },
    async close(reason) {
      closed ??= { reason }
      await quiet()
    },
    quiet,
  }
}
