/** Holds what is waited for to a deadline. */
import { LoadError } from '../errors.ts'

const LONGEST_TIMER = 2 ** 31 - 1

/**
 * So many steps of the queue of promises before there is a timer. The import of a module that is there takes eight or nine, and
 * most agents are made of such modules: a timer, made and cleared, costs as much as two such imports.
 */
const STEPS_BEFORE_TIMER = 16

/** One timer, however many are waited for. */
export class Deadline {
  readonly #timeoutMs: number
  readonly #pass: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #isOver = false

  /** Begins. `pass` is called once, unless it was stopped before. */
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

/** Settles as the promise does, or rejects with `load_timeout` and calls back. `subject` begins the words: `Its loader`. */
export function holdTo<T>(timeoutMs: number, promise: Promise<T>, subject: string, giveUp?: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadline = new Deadline(timeoutMs, () => {
      giveUp?.()
      reject(timedOut(subject, timeoutMs))
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

export function timedOut(subject: string, timeoutMs: number): LoadError {
  return new LoadError('load_timeout', `${subject} did not settle within ${timeoutMs} ms.`)
}
