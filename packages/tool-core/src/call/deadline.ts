/** Enforces the deadline and the caller's abort, even if the implementation ignores its signal. */
import { ToolError } from '../errors.ts'
import { abortedText, timedOutText } from '../prompts.ts'

export interface DeadlineOptions {
  /** Names the operation in the error message. */
  readonly subject: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Longest delay of a timer, in milliseconds: about 24 days. Node treats a longer one as 1 ms. */
export const LONGEST_TIMER = 2 ** 31 - 1

/** Lets an execution find out that it has timed out or was aborted. */
export interface DeadlineState {
  /** Returns a signal that is aborted when the deadline passes or the caller aborts. The signal is created at the first call. */
  readonly signal: () => AbortSignal
  /** True once the execution has settled, timed out or been aborted. */
  readonly isOver: () => boolean
}

/**
 * Runs `start` and settles with its result. Rejects with `timeout` or `aborted` if the deadline or an abort comes first, and drops a later
 * result. If `start` returns or throws synchronously, so does this function.
 */
export function withDeadline<T>(start: (deadline: DeadlineState) => T | Promise<T>, options: DeadlineOptions): T | Promise<T> {
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
    // Uses `Promise.resolve`, because a thenable may resolve with another promise. The deadline covers that promise too.
    Promise.resolve(started).then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    )
    // Starts the timer one microtask later. By then, an already settled promise has been handled and needs no timer. A timer would make a
    // call 10% slower.
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
 * Calls `callback` when the signal is aborted. Returns a function that removes the callback. All callbacks of a signal share one listener,
 * because Node warns of a leak at the eleventh.
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
  return new ToolError('timeout', timedOutText(subject, timeoutMs), { retryable: true })
}

function aborted(subject: string, signal: AbortSignal): ToolError {
  return new ToolError('aborted', abortedText(subject), { cause: signal.reason })
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  const thenable = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return thenable && typeof (value as { then?: unknown }).then === 'function'
}
