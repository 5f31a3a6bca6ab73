/** Lets requests start in order of arrival, within the limits. */
import { LMError } from '../errors.ts'
import { startTimer } from '../http/deadlines.ts'

export interface RateLimits {
  readonly requestsPerMinute: number
  readonly tokensPerMinute: number
  readonly concurrency: number
}

interface Waiter {
  readonly letIn: () => void
}

const MINUTE = 60_000

export class RateQueue {
  readonly #limits: RateLimits
  readonly #waiting = new Set<Waiter>()
  readonly #starts = new Window()
  readonly #tokens = new Window()
  #inside = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(limits: RateLimits) {
    this.#limits = limits
  }

  /**
   * Resolves when the request may start. Rejects with `aborted` if the signal is aborted first. Call `leave` once for each
   * `enter` that has resolved.
   */
  enter(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leaveQueue = () => {
        this.#waiting.delete(waiter)
        this.#letIn()
        reject(
          new LMError('aborted', 'The request was aborted while it was waiting for the rate limit.', { cause: signal?.reason }),
        )
      }
      const waiter: Waiter = {
        letIn: () => {
          signal?.removeEventListener('abort', leaveQueue)
          resolve()
        },
      }
      if (signal?.aborted) return leaveQueue()
      signal?.addEventListener('abort', leaveQueue, { once: true })
      this.#waiting.add(waiter)
      this.#letIn()
    })
  }

  leave(tokens: number): void {
    this.#inside--
    if (tokens > 0 && this.#limits.tokensPerMinute < Infinity) this.#tokens.add(tokens)
    this.#letIn()
  }

  #letIn(): void {
    clearTimeout(this.#timer)
    const { requestsPerMinute, tokensPerMinute, concurrency } = this.#limits
    for (const waiter of this.#waiting) {
      if (this.#inside >= concurrency) return
      const delay = Math.max(this.#starts.msUntilBelow(requestsPerMinute), this.#tokens.msUntilBelow(tokensPerMinute))
      if (delay > 0) {
        this.#timer = startTimer(delay, () => this.#letIn())
        return
      }
      this.#waiting.delete(waiter)
      this.#inside++
      if (requestsPerMinute < Infinity) this.#starts.add(1)
      waiter.letIn()
    }
  }
}

/** A sum over the last minute. */
class Window {
  #entries: { readonly at: number; readonly amount: number }[] = []
  #sum = 0

  add(amount: number): void {
    this.#entries.push({ at: performance.now(), amount })
    this.#sum += amount
  }

  /** Returns the milliseconds until the sum drops below the limit, or 0 if it already is. */
  msUntilBelow(limit: number): number {
    this.#forget()
    let sum = this.#sum
    for (const { at, amount } of this.#entries) {
      if (sum < limit) break
      sum -= amount
      if (sum < limit) return Math.max(1, at + MINUTE - performance.now())
    }
    return 0
  }

  #forget(): void {
    const now = performance.now()
    const kept = this.#entries.findIndex(({ at }) => at + MINUTE > now)
    const gone = this.#entries.splice(0, kept < 0 ? this.#entries.length : kept)
    for (const { amount } of gone) this.#sum -= amount
  }
}
