/** A timer that is paused while a person answers a question. */
import { LONGEST_TIMER } from '@x/tool-core'

export class PausableTimer {
  readonly #fire: () => void
  #leftMs: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #startedAt = 0
  #pauses = 0

  constructor(delayMs: number, fire: () => void) {
    this.#leftMs = delayMs
    this.#fire = fire
    this.#start()
  }

  pause(): void {
    if (this.#pauses++ > 0) return
    clearTimeout(this.#timer)
    this.#leftMs -= performance.now() - this.#startedAt
  }

  /** Continues once it has been called as often as `pause`. */
  resume(): void {
    if (--this.#pauses === 0) this.#start()
  }

  /** Stops the timer for good: a question that is answered later doesn't start it again. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#leftMs = Number.POSITIVE_INFINITY
  }

  #start(): void {
    this.#startedAt = performance.now()
    if (this.#leftMs <= LONGEST_TIMER) this.#timer = setTimeout(this.#fire, Math.max(0, this.#leftMs))
  }
}
