/** Holds an execution to its deadline and to the caller's abort, whether it listens to the signal or not. */
import { ToolError } from '../errors.ts'

export interface DeadlineOptions {
  /** What is being waited for, as the error names it. */
  readonly subject: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const LONGEST_TIMER = 2 ** 31 - 1

/** What is held to a deadline may look at it. */
export interface Watch {
  /** Fires when the deadline passes or the caller aborts; it is made only when asked for. */
  readonly signal: () => AbortSignal
  /** True as soon as it has settled or was given up on. */
  readonly isOver: () => boolean
}

/**
 * Runs `start` and settles as it does, or rejects with `timeout` or `aborted`, whichever is first; what settles later is
 * dropped. What `start` returns or throws without a promise is returned and thrown at once.
 */
export function withDeadline<T>(start: (watch: Watch) => T | Promise<T>, options: DeadlineOptions): T | Promise<T> {
  const { subject, timeoutMs, signal } = options
  if (signal?.aborted) return Promise.reject(aborted(subject, signal))
  let controller: AbortController | undefined
  let givenUp: ToolError | undefined
  let isOver = false
  const ownSignal = () => {
    controller ??= new AbortController()
    if (givenUp) controller.abort(givenUp)
    return controller.signal
  }
  const started = start({ signal: ownSignal, isOver: () => isOver })
  if (!isPromise(started)) {
    isOver = true
    return started
  }
  return new Promise<T>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let stopListening: (() => void) | undefined
    const giveUp = (error: ToolError) => {
      givenUp = error
      settle(() => reject(error))
      controller?.abort(error)
    }
    const arm = () => {
      if (isOver) return
      if (signal?.aborted) return giveUp(aborted(subject, signal))
      if (timeoutMs <= LONGEST_TIMER) timer = setTimeout(() => giveUp(timedOut(subject, timeoutMs)), timeoutMs)
      stopListening = signal && onAbort(signal, () => giveUp(aborted(subject, signal)))
    }
    const settle = (finish: () => void) => {
      isOver = true
      if (timer !== undefined) clearTimeout(timer)
      stopListening?.()
      finish()
    }
    // Through Promise.resolve: a thenable may resolve with another promise, which must be waited for inside the deadline.
    Promise.resolve(started).then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    )
    // One step later: what is settled already is over by then, and needs no timer, which costs a tenth of a call.
    SETTLED.then(arm)
  })
}

const SETTLED = Promise.resolve()

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
