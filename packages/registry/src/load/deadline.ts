/** Timeouts for loaders. */
import { LONGEST_TIMER } from '@x/tool-core'
import { LoadError } from '../errors.ts'

/**
 * Number of microtasks to await before a timer is created. Importing a module that is already loaded takes eight or nine, and most agents
 * need only such modules. Creating and clearing a timer would cost as much as two such imports.
 */
const STEPS_BEFORE_TIMER = 16

/** One timer that is shared by any number of promises. */
export class Deadline {
  readonly #timeoutMs: number
  readonly #pass: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #isOver = false

  /** Starts the timer. Calls `pass` when the time is up, unless `stop` was called before. */
  constructor(timeoutMs: number, pass: () => void) {
    this.#timeoutMs = timeoutMs
    this.#pass = pass
    if (timeoutMs <= LONGEST_TIMER) void this.#begin()
  }

  stop(): void {
    this.#isOver = true
    if (this.#timer !== undefined) clearTimeout(this.#timer)
  }

  async #begin(): Promise<void> {
    for (let step = 0; step < STEPS_BEFORE_TIMER; step++) {
      await undefined
      if (this.#isOver) return
    }
    this.#timer = setTimeout(this.#pass, this.#timeoutMs)
  }
}

export interface Held {
  /** Start of the message, e.g. `Its loader`. */
  readonly subject: string
  /** How to fix a timeout. Default: the advice for a loader. */
  readonly fix?: string | undefined
  readonly giveUp?: () => void
}

/** Settles like the promise. After the timeout, calls `giveUp` and rejects with `load_timeout`. */
export function holdTo<T>(timeoutMs: number, promise: Promise<T>, { subject, fix, giveUp }: Held): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadline = new Deadline(timeoutMs, () => {
      giveUp?.()
      reject(timedOut(subject, timeoutMs, fix))
    })
    promise.then(
      (value) => {
        deadline.stop()
        resolve(value)
      },
      (error) => {
        deadline.stop()
        reject(error)
      },
    )
  })
}

export function timedOut(subject: string, timeoutMs: number, fix?: string): LoadError {
  return new LoadError('load_timeout', `${subject} did not settle within ${timeoutMs} ms.`, { fix })
}
