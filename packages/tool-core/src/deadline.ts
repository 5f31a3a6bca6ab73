/** Holds an execution to its deadline and to the caller's abort, whether it listens to the signal or not. */
import { ToolError } from './errors.ts'

export interface DeadlineOptions {
  /** What is being waited for, as the error names it. */
  readonly subject: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const LONGEST_TIMER = 2 ** 31 - 1

/**
 * Runs `start` and settles as it does, or rejects with `timeout` or `aborted`, whichever is first; what settles later is
 * dropped. The signal given to `start` fires in both cases; it is made only when asked for.
 */
export async function withDeadline<T>(
  start: (signal: () => AbortSignal) => T | Promise<T>,
  options: DeadlineOptions,
): Promise<T> {
  const { subject, timeoutMs, signal } = options
  if (signal?.aborted) throw aborted(subject, signal)
  let controller: AbortController | undefined
  let over: ToolError | undefined
  const ownSignal = () => {
    controller ??= new AbortController()
    if (over) controller.abort(over)
    return controller.signal
  }
  const started = start(ownSignal)
  if (!isPromise(started)) return started
  return new Promise<T>((resolve, reject) => {
    const giveUp = (error: ToolError) => {
      over = error
      settle(() => reject(error))
      controller?.abort(error)
    }
    const timer = timeoutMs <= LONGEST_TIMER ? setTimeout(() => giveUp(timedOut(subject, timeoutMs)), timeoutMs) : undefined
    const stopListening = signal && onAbort(signal, () => giveUp(aborted(subject, signal)))
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      stopListening?.()
      finish()
    }
    // Through Promise.resolve: a thenable may resolve with another promise, which must be waited for inside the deadline.
    Promise.resolve(started).then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    )
    if (signal?.aborted) giveUp(aborted(subject, signal))
  })
}

interface Waiters {
  readonly callbacks: Set<() => void>
  readonly fire: () => void
}

const waiting = new WeakMap<AbortSignal, Waiters>()

/**
 * Calls back when the signal fires; what it returns takes that back. One listener per signal, however many wait for it: Node
 * warns of a leak at the eleventh.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const { callbacks, fire } = waiting.get(signal) ?? listen(signal)
  callbacks.add(callback)
  return () => {
    callbacks.delete(callback)
    if (callbacks.size > 0) return
    signal.removeEventListener('abort', fire)
    waiting.delete(signal)
  }
}

function listen(signal: AbortSignal): Waiters {
  const callbacks = new Set<() => void>()
  const fire = () => {
    for (const callback of callbacks) callback()
  }
  signal.addEventListener('abort', fire, { once: true })
  waiting.set(signal, { callbacks, fire })
  return { callbacks, fire }
}

function timedOut(subject: string, timeoutMs: number): ToolError {
  return new ToolError('timeout', `${subject} did not finish within ${timeoutMs} ms and was given up on.`, { retryable: true })
}

function aborted(subject: string, signal: AbortSignal): ToolError {
  return new ToolError('aborted', `${subject} was aborted by the caller.`, { cause: signal.reason })
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  const thenable = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return thenable && typeof (value as { then?: unknown }).then === 'function'
}
