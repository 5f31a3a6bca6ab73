/** The deadline of a program. Time spent waiting for a person doesn't count. */
import { LONGEST_TIMER } from '@x/tool-core'

export class Deadline {
  readonly #onPassed: () => void
  #leftMs: number
  #since = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Number of pending waits. */
  #waits = 0

  constructor(timeoutMs: number, onPassed: () => void) {
    this.#leftMs = timeoutMs
    this.#onPassed = onPassed
  }

  start(): void {
    if (this.#waits === 0) this.#start()
  }

  /** Runs `work`, and pauses the deadline until it settles. */
  async without(work: () => Promise<unknown>): Promise<unknown> {
    if (this.#waits++ === 0) this.#stop()
    try {
      return await work()
    } finally {
      if (--this.#waits === 0) this.#start()
    }
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#leftMs = Number.POSITIVE_INFINITY
  }

  #start(): void {
    if (this.#leftMs > LONGEST_TIMER) return
    this.#since = performance.now()
    this.#timer = setTimeout(this.#onPassed, this.#leftMs)
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#since))
  }
}
