/** Stops waiting for an operation on an abort. The operation itself continues. */
import { setMaxListeners } from 'node:events'

/** Rejects with the signal's reason when it is aborted. Removes its listener in any case. */
export async function untilAborted<T>(work: () => PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work()
  signal.throwIfAborted()
  // Many operations may share a signal. Suppress the warning.
  setMaxListeners(0, signal)
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
