/** Combines abort signals with a timeout. Leaves no listeners behind. */
import { setMaxListeners } from 'node:events'

export interface Limits {
  /** Aborted when any of the given signals is aborted, and on timeout. */
  readonly signal: AbortSignal
  /** Returns true if the timeout came before any abort. */
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
    // Many operations may share a signal. This suppresses Node's warning about too many listeners.
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
