/** Retries after transient failures. Waits with exponential backoff and full jitter, or for the delay that the host asks for. */
import { assertFunction, assertObject } from '../check-options.ts'
import { LMError } from '../errors.ts'
import { startTimer } from './deadlines.ts'

export interface RetryOptions {
  /** Maximum number of retries. Default: 2. */
  readonly retries?: number | undefined
  /** Maximum length of the first random delay, in milliseconds. Doubles with each retry. Default: 500. */
  readonly baseDelayMs?: number | undefined
  /** Maximum delay, in milliseconds. If the host asks for a longer one, the error is thrown instead. Default: 60,000. */
  readonly maxDelayMs?: number | undefined
  /** Returns true for failures to retry. Default: retries each `LMError` that is `retryable`. */
  readonly when?: ((error: unknown) => boolean) | undefined
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). Default: `Math.random`. */
  readonly random?: (() => number) | undefined
}

export type Retries = { readonly [Key in keyof RetryOptions]-?: NonNullable<RetryOptions[Key]> }

/** Fills in the defaults. Throws `TypeError` for an invalid number or function. */
export function readRetries(options: number | RetryOptions = {}): Retries {
  if (typeof options !== 'number')
    assertObject('Retries', 'the options', options, 'a number, { retries, baseDelayMs, maxDelayMs, when }')
  const given = typeof options === 'number' ? { retries: options } : options
  const { retries = 2, baseDelayMs = 500, maxDelayMs = 60_000, when = isRetryable, random = Math.random } = given
  for (const [name, value] of Object.entries({ retries, baseDelayMs, maxDelayMs })) {
    if (typeof value !== 'number' || !(value >= 0))
      throw new TypeError(`Retries: ${name} must be a number of at least 0, got ${String(value)}.`)
  }
  for (const [name, value] of Object.entries({ when, random })) assertFunction('Retries', name, value)
  return { retries, baseDelayMs, maxDelayMs, when, random }
}

/**
 * Repeats `attempt` until it succeeds, and resolves to its result. Rejects with the last failure, or with `aborted` if the caller
 * aborts during a delay.
 */
export async function repeat<T>(attempt: () => Promise<T>, retries: Retries, signal?: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (failures >= retries.retries || signal?.aborted || !retries.when(error)) throw error
      const delay = delayAfter(error, failures, retries)
      if (delay === undefined) throw error
      await pause(delay, signal)
    }
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof LMError && error.retryable
}

/**
 * Returns the delay before the next attempt, with full jitter:
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
function delayAfter(error: unknown, failures: number, { baseDelayMs, maxDelayMs, random }: Retries): number | undefined {
  const asked = error instanceof LMError ? error.retryAfterMs : undefined
  if (asked === undefined) return random() * Math.min(maxDelayMs, baseDelayMs * 2 ** failures)
  return asked <= maxDelayMs ? asked : undefined
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(new LMError('aborted', 'The request was aborted while it was waiting to retry.', { cause: signal?.reason }))
    }
    const timer = startTimer(ms, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    // A signal that is already aborted emits no event.
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
}
