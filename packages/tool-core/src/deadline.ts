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
      controller?.abort(error)
      settle(() => reject(error))
    }
    const onAbort = () => giveUp(aborted(subject, signal as AbortSignal))
    const timer = timeoutMs <= LONGEST_TIMER ? setTimeout(() => giveUp(timedOut(subject, timeoutMs)), timeoutMs) : undefined
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      finish()
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    started.then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    )
  })
}

function timedOut(subject: string, timeoutMs: number): ToolError {
  return new ToolError('timeout', `${subject} did not finish within ${timeoutMs} ms and was given up on.`, { retryable: true })
}

function aborted(subject: string, signal: AbortSignal): ToolError {
  return new ToolError('aborted', `${subject} was aborted by the caller.`, { cause: signal.reason })
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
