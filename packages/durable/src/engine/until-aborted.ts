/** Awaits a promise until a signal is aborted. */

/** Settles like the promise, or rejects with the signal's reason when it is aborted. The promise's outcome is then ignored. */
export async function untilAborted<T>(promise: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await promise
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([aborted, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
