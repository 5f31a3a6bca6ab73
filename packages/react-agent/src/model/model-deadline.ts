/** The timeout for one reply of the model. */
import { LONGEST_TIMER, onAbort } from '@x/tool-core'

/** The model timeout of one run. A timeout ends the run, so one signal is enough for all requests. */
export class ModelDeadline {
  /** Fires when the caller aborts or a request times out. */
  readonly signal: AbortSignal
  readonly #timeoutMs: number
  readonly #controller = new AbortController()
  /** Starts the timer of the current reply. A run waits for one reply at a time. */
  #arm: (() => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs
    this.signal = caller === undefined ? this.#controller.signal : AbortSignal.any([caller, this.#controller.signal])
  }

  /** Rejects when the reply times out or the caller aborts, even if the model ignores the signal. */
  hold<T>(reply: Promise<T>, caller: AbortSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      let isOver = false
      const settle = (finish: () => void) => {
        // A late reply must not stop the timer of the next one.
        if (isOver) return
        isOver = true
        this.#arm = undefined
        clearTimeout(this.#timer)
        this.#timer = undefined
        stopListening?.()
        finish()
      }
      const giveUp = () => {
        const error = new Error(`The model did not reply within ${this.#timeoutMs} ms (modelTimeoutMs).`)
        this.#controller.abort(error)
        settle(() => reject(error))
      }
      const stopListening = caller && onAbort(caller, () => settle(() => reject(caller.reason)))
      const arm = () => {
        this.#timer = setTimeout(giveUp, this.#timeoutMs)
      }
      this.#arm = arm
      reply.then(
        (value) => settle(() => resolve(value)),
        (error) => settle(() => reject(error)),
      )
      if (caller?.aborted) return settle(() => reject(caller.reason))
      // Deferred by a microtask, because a reply that is already there needs no timer. In `bench loop`, the timer costs 5 % of a step.
      SETTLED.then(() => {
        if (this.#arm === arm && this.#timer === undefined) arm()
      })
    })
  }

  /** Pauses the timeout until `others` settles. The full timeout then starts again. */
  async without(others: Promise<void>): Promise<void> {
    clearTimeout(this.#timer)
    try {
      await others
    } finally {
      clearTimeout(this.#timer)
      this.#arm?.()
    }
  }
}

const SETTLED = Promise.resolve()

/** Creates the deadline. Returns undefined if there is no timeout, or one that is too long for a timer. */
export function modelDeadline(timeoutMs: number, caller: AbortSignal | undefined): ModelDeadline | undefined {
  return timeoutMs > LONGEST_TIMER ? undefined : new ModelDeadline(timeoutMs, caller)
}
