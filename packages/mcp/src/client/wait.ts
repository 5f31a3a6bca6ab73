/** Helpers for waiting with a limit or an abort signal. */
import { LONGEST_TIMER } from '@x/tool-core'

/**
 * Resolves or rejects as `work` does. Rejects with the signal's reason if the signal is aborted first; `work` itself continues,
 * because other callers may share it.
 */
export function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Resolves or rejects as `work` does. Rejects with the error from `late` if `limitMs` passes first. */
export async function limited<T>(work: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  work.catch(() => {}) // `work` may still reject later, which must not be reported as unhandled.
  const limit = new Promise<never>((_, reject) => {
    if (limitMs <= LONGEST_TIMER) timer = setTimeout(() => reject(late()), Math.max(0, limitMs))
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves after `ms` milliseconds. Rejects with the signal's reason if the signal is aborted first. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    if (signal.aborted) return reject(signal.reason)
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
