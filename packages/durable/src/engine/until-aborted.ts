/** Stops waiting for an operation when a signal is aborted. The operation itself continues. */
import { setMaxListeners } from 'node:events'

/** Rejects with the signal's reason when the signal is aborted. Always removes its listener. */
export async function untilAborted<T>(work: () => PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work()
  signal.throwIfAborted()
  // Many operations may share a signal, so Node's warning about listeners is suppressed.
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
