/** The timeout of a call. It is paused while a person answers a question. */
import { PausableTimer } from '../pausable-timer.ts'

export class CallClock {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal
  readonly #timer: PausableTimer
  #isOver = false

  /** True if the timeout has passed. False if the caller aborted the call. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Aborted when the caller's signal is aborted, and when the timeout passes. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  constructor(timeoutMs: number, caller: AbortSignal) {
    this.#caller = caller
    this.#timer = new PausableTimer(timeoutMs, () => {
      this.#isOver = true
      this.#controller.abort(new Error('The deadline of the call passed.'))
    })
    if (caller.aborted) this.#abort()
    else caller.addEventListener('abort', this.#abort, { once: true })
  }

  pause(): void {
    this.#timer.pause()
  }

  resume(): void {
    this.#timer.resume()
  }

  stop(): void {
    this.#timer.stop()
    this.#caller.removeEventListener('abort', this.#abort)
  }

  readonly #abort = () => {
    this.#timer.stop()
    this.#controller.abort(this.#caller.reason)
  }
}
