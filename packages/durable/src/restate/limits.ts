/** Combines signals with a timeout, and leaves no listeners behind. */
import { setMaxListeners } from 'node:events'

export interface Limits {
  /** Aborted with any of the other signals, and on timeout. */
  readonly signal: AbortSignal
  /** Returns true if the timeout came first. */
  isLate(): boolean
  /** Clears the timer and removes the listeners. */
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
    // Many operations may share a signal, so Node's warning about listeners is suppressed.
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
