/** A run: a promise of its result, and its events for whoever wants them. */

export interface Run<Result, Event> extends Promise<Result> {
  /**
   * The events from now on; all of them when called before the next `await`. Ends with the run and throws what the run
   * rejects with. Whoever reads slowly slows the run down, once a thousand events wait. Leaving the loop does not stop the run: its
   * abort signal does.
   */
  stream(): AsyncIterableIterator<Event>
}

/**
 * Starts in the next microtask, so that a subscriber of the same tick misses nothing. `stamp` makes of an event what is told of it; it
 * is asked when somebody listens.
 */
export function startRun<Result, Event>(
  execute: (emit: (event: Event) => void | Promise<void>) => Promise<Result>,
  stamp: (event: Event) => Event = (event) => event,
): Run<Result, Event> {
  const subscribers = new Set<Subscriber<Event>>()
  const promise = Promise.resolve().then(async () => {
    try {
      const result = await execute((event) => {
        if (subscribers.size === 0) return
        let full: Promise<void>[] | undefined
        const told = stamp(event)
        for (const subscriber of subscribers) {
          subscriber.push(told)
          if (subscriber.isFull) full = [...(full ?? []), subscriber.drained()]
        }
        if (full !== undefined) return Promise.all(full).then(() => undefined)
      })
      for (const subscriber of subscribers) subscriber.close()
      return result
    } catch (error) {
      for (const subscriber of subscribers) subscriber.fail(error)
      throw error
    }
  })
  const stream = () => {
    const subscriber = new Subscriber<Event>(() => subscribers.delete(subscriber))
    subscribers.add(subscriber)
    // A failure reaches the subscriber; the promise need not be awaited as well.
    promise.then(
      () => subscriber.close(),
      (error: unknown) => subscriber.fail(error),
    )
    return subscriber
  }
  return Object.assign(promise, { stream })
}

/** Events that may wait for one reader. */
const MOST_WAITING = 1000

/** A queue that is read by its head, so that a burst of events costs no more than it must. */
class Subscriber<Event> implements AsyncIterableIterator<Event> {
  #queue: Event[] = []
  #head = 0
  readonly #waiting: (() => void)[] = []
  readonly #onLeave: () => void
  #end: { readonly error?: unknown } | undefined
  #onDrained: (() => void)[] = []
  /** Who never reads holds nobody up. */
  #isRead = false

  constructor(onLeave: () => void) {
    this.#onLeave = onLeave
  }

  get isFull(): boolean {
    return this.#isRead && this.#end === undefined && this.#queue.length - this.#head >= MOST_WAITING
  }

  /** When there is room again, or nobody reads any more. */
  drained(): Promise<void> {
    return new Promise((resolve) => this.#onDrained.push(resolve))
  }

  push(event: Event): void {
    if (this.#end !== undefined) return
    this.#queue.push(event)
    this.#waiting.shift()?.()
  }
  close(): void {
    this.#finish({})
  }
  fail(error: unknown): void {
    this.#finish({ error })
  }

  async next(): Promise<IteratorResult<Event>> {
    this.#isRead = true
    while (this.#head === this.#queue.length && this.#end === undefined) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    if (this.#head < this.#queue.length) return { done: false, value: this.#take() }
    if (this.#end !== undefined && 'error' in this.#end) {
      const { error } = this.#end
      this.#end = {}
      throw error
    }
    return { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<Event>> {
    this.#onLeave()
    this.#queue = []
    this.#head = 0
    this.#end = undefined
    this.#finish({})
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #take(): Event {
    const event = this.#queue[this.#head++] as Event
    if (this.#head === this.#queue.length) {
      this.#queue = []
      this.#head = 0
      this.#release()
    }
    return event
  }

  #release(): void {
    for (const go of this.#onDrained.splice(0)) go()
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end
    this.#release()
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
