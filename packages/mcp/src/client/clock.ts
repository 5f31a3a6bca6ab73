/** The timeout of a call. It is paused while a person answers a question. */
import { LONGEST_TIMER } from './wait.ts'

export class CallClock {
  readonly #controller = new AbortController()
  #leftMs: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #startedAt = 0
  #pauses = 0
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
    this.#leftMs = timeoutMs
    if (caller.aborted) this.#controller.abort(caller.reason)
    else caller.addEventListener('abort', this.#abort, { once: true })
    this.#caller = caller
    this.#start()
  }

  readonly #caller: AbortSignal
  readonly #abort = () => this.#controller.abort(this.#caller.reason)

  pause(): void {
    if (this.#pauses++ > 0) return
    clearTimeout(this.#timer)
    this.#leftMs -= performance.now() - this.#startedAt
  }

  resume(): void {
    if (--this.#pauses === 0) this.#start()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#caller.removeEventListener('abort', this.#abort)
  }

  #start(): void {
    this.#startedAt = performance.now()
    if (this.#leftMs > LONGEST_TIMER || this.signal.aborted) return
    this.#timer = setTimeout(
      () => {
        this.#isOver = true
        this.#controller.abort(new Error('The deadline of the call passed.'))
      },
      Math.max(0, this.#leftMs),
    )
  }
}
