/** Stops waiting for an operation when a signal is aborted. The operation itself continues. */
import { setMaxListeners } from 'node:events'

/**
 * Resolves or rejects like `work`. Rejects with the signal's reason if the signal is aborted first. Always removes its listener.
 */
export async function untilAborted<T>(work: () => PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work()
  signal.throwIfAborted()
  // Many operations may share a signal. This suppresses Node's warning about too many listeners.
  setMaxListeners(0, signal)
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race<T>([work(), aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
