/** A signal for one thing that is under way, of which nothing is left behind at those that it follows. */
import { setMaxListeners } from 'node:events'

export interface Limits {
  /** Fires with one of the others, and when the time is over. */
  readonly signal: AbortSignal
  /** True when the time was over first. */
  isLate(): boolean
  /** Clears the timer, and leaves the other signals. */
  end(): void
}

export function startLimits(others: readonly (AbortSignal | undefined)[], ms: number): Limits {
  const controller = new AbortController()
  let isLate = false
  const abort = () => controller.abort()
  const timer = setTimeout(() => {
    isLate = !controller.signal.aborted
    abort()
  }, ms)
  for (const other of others) {
    if (other === undefined) continue
    if (other.aborted) abort()
    // Many may follow one signal, without a warning.
    setMaxListeners(0, other)
    other.addEventListener('abort', abort)
  }
  return {
    signal: controller.signal,
    isLate: () => isLate,
    end() {
      clearTimeout(timer)
      for (const other of others) other?.removeEventListener('abort', abort)
    },
  }
}
