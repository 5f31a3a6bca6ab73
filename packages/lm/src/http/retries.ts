/** Tries again after a passing failure: exponential back-off with full jitter, or as long as the host asks. */
import { assertFunction, assertObject } from '../check-options.ts'
import { LMError } from '../errors.ts'
import { startTimer } from './deadlines.ts'

export interface RetryOptions {
  /** How often at most; 2 unless told. */
  readonly retries?: number | undefined
  /** The first pause is a random part of this, each later one of twice as much: 500 ms. */
  readonly baseDelayMs?: number | undefined
  /** No pause is longer: 60 s. A host that asks for more is not asked again, and its error is thrown. */
  readonly maxDelayMs?: number | undefined
  /** Which failures pass: `LMError`s that are `retryable` unless told. */
  readonly when?: ((error: unknown) => boolean) | undefined
  /** From 0 to below 1; `Math.random` unless told. */
  readonly random?: (() => number) | undefined
}

export type Retries = { readonly [Key in keyof RetryOptions]-?: NonNullable<RetryOptions[Key]> }

/** Throws `TypeError` for a number or a function that is none. */
export function readRetries(options: number | RetryOptions = {}): Retries {
  if (typeof options !== 'number')
    assertObject('Retries', 'what was given', options, 'a number, or { retries, baseDelayMs, maxDelayMs, when }')
  const given = typeof options === 'number' ? { retries: options } : options
  const { retries = 2, baseDelayMs = 500, maxDelayMs = 60_000, when = isRetryable, random = Math.random } = given
  for (const [name, value] of Object.entries({ retries, baseDelayMs, maxDelayMs })) {
    if (typeof value !== 'number' || !(value >= 0))
      throw new TypeError(`Retries: ${name} is ${String(value)}. Write a number from 0.`)
  }
  for (const [name, value] of Object.entries({ when, random })) assertFunction('Retries', name, value)
  return { retries, baseDelayMs, maxDelayMs, when, random }
}

/** Resolves with the first success. Rejects with the last failure, or with `aborted` when the caller gives up in a pause. */
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

/** Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ */
function delayAfter(error: unknown, failures: number, { baseDelayMs, maxDelayMs, random }: Retries): number | undefined {
  const asked = error instanceof LMError ? error.retryAfterMs : undefined
  if (asked === undefined) return random() * Math.min(maxDelayMs, baseDelayMs * 2 ** failures)
  return asked <= maxDelayMs ? asked : undefined
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(new LMError('aborted', 'The request was aborted while it waited to be sent again.', { cause: signal?.reason }))
    }
    const timer = startTimer(ms, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    // Of a signal that is aborted already, no event comes.
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
}
