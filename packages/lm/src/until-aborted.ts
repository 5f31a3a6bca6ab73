/** Waits for a promise that can't be cancelled, until a signal is aborted. */
import { LMError } from './errors.ts'

/** Resolves or rejects as `value` does, or rejects with `aborted` if the signal is aborted first. */
export function untilAborted<T>(value: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const promise = Promise.resolve(value)
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(aborted(signal))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Throws `aborted` if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal)
}

function aborted({ reason }: AbortSignal): LMError {
  return new LMError('aborted', 'The request was aborted.', { cause: reason })
}
