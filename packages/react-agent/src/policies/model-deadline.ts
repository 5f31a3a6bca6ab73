/** How long a run waits for one reply of its model. */

/** Unless told. */
export const MODEL_TIMEOUT_MS = 600_000

/** Of one run: who runs into it ends the run, so that one signal is enough for all requests. */
export class ModelDeadline {
  /** Fires when the caller gives up, or a request took too long. */
  readonly signal: AbortSignal
  readonly #timeoutMs: number
  readonly #controller = new AbortController()

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs
    this.signal = caller === undefined ? this.#controller.signal : AbortSignal.any([caller, this.#controller.signal])
  }

  /** Rejects when the reply takes too long, whether the model listens to the signal or not. */
  hold<T>(reply: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let isOver = false
      let timer: ReturnType<typeof setTimeout> | undefined
      const giveUp = () => {
        const error = new Error(`The model did not answer within ${this.#timeoutMs} ms.`)
        this.#controller.abort(error)
        reject(error)
      }
      const settle = (finish: () => void) => {
        isOver = true
        if (timer !== undefined) clearTimeout(timer)
        finish()
      }
      reply.then(
        (value) => settle(() => resolve(value)),
        (error) => settle(() => reject(error)),
      )
      // One step later: a reply that is there already needs no timer.
      SETTLED.then(() => {
        if (!isOver) timer = setTimeout(giveUp, this.#timeoutMs)
      })
    })
  }
}

const SETTLED = Promise.resolve()

/** What timers can wait for, in milliseconds: 24 days. What is longer is as good as none. */
export const LONGEST_TIMER = 2 ** 31 - 1

/** Undefined where there is none. */
export function modelDeadline(timeoutMs: number, caller: AbortSignal | undefined): ModelDeadline | undefined {
  return timeoutMs > LONGEST_TIMER ? undefined : new ModelDeadline(timeoutMs, caller)
}
