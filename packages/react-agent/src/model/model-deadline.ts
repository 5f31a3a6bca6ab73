/** How long a run waits for one reply of its model. */
import { onAbort } from '@x/tool-core'

/** Unless told. */
export const MODEL_TIMEOUT_MS = 600_000

/** Of one run: who runs into it ends the run, so that one signal is enough for all requests. */
export class ModelDeadline {
  /** Fires when the caller gives up, or a request took too long. */
  readonly signal: AbortSignal
  readonly #timeoutMs: number
  readonly #controller = new AbortController()
  /** Of the reply that is being waited for; a run waits for one at a time. */
  #arm: (() => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs
    this.signal = caller === undefined ? this.#controller.signal : AbortSignal.any([caller, this.#controller.signal])
  }

  /** Rejects when the reply takes too long or the caller gives up, whether the model listens to the signal or not. */
  hold<T>(reply: Promise<T>, caller: AbortSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      let isOver = false
      const settle = (finish: () => void) => {
        // What comes later must not touch the timer of the next reply.
        if (isOver) return
        isOver = true
        this.#arm = undefined
        clearTimeout(this.#timer)
        this.#timer = undefined
        stopListening?.()
        finish()
      }
      const giveUp = () => {
        const error = new Error(`The model did not answer within ${this.#timeoutMs} ms.`)
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
      // One step later: a reply that is there already needs no timer.
      SETTLED.then(() => {
        if (this.#arm === arm && this.#timer === undefined) arm()
      })
    })
  }

  /** Waits for somebody else while the reply is held: the time begins anew when that is over. */
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

/** What timers can wait for, in milliseconds: 24 days. What is longer is as good as none. */
export const LONGEST_TIMER = 2 ** 31 - 1

/** Undefined where there is none. */
export function modelDeadline(timeoutMs: number, caller: AbortSignal | undefined): ModelDeadline | undefined {
  return timeoutMs > LONGEST_TIMER ? undefined : new ModelDeadline(timeoutMs, caller)
}
