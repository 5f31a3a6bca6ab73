/** Ends the waiting for something that goes on by itself. */
import { setMaxListeners } from 'node:events'

/** Rejects with the reason of the signal at once. Nothing is left behind at the signal. */
export async function untilAborted<T>(work: () => PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work()
  signal.throwIfAborted()
  // Many may be waited for with one signal, without a warning.
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
