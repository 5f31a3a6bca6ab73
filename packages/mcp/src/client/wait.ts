/** Waits with a time limit. */

export const LONGEST_TIMER = 2 ** 31 - 1

/** Settles like the work, or rejects with the signal's reason. The work continues, because others may share it. */
export function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Settles like the work, or rejects with an error after the limit. */
export async function limited<T>(work: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  work.catch(() => {}) // The work may still reject after the limit.
  const limit = new Promise<never>((_, reject) => {
    if (limitMs <= LONGEST_TIMER) timer = setTimeout(() => reject(late()), Math.max(0, limitMs))
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits. Rejects with the signal's reason when it is aborted. */
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
