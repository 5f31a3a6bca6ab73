/** A run: a promise of its result, with a stream of its events. */
import { AgentError } from '../errors.ts'

export interface Run<Result, Event> extends Promise<Result> {
  /**
   * Returns the events that follow, or all events if it is called before the next `await`. The stream ends with the run, and throws if the
   * run rejects.
   *
   * Backpressure: once 1,000 events are queued for a slow reader, the run waits until the reader has taken all of them. If the reader takes
   * no event for 60 s, for example because it awaits the run inside the loop, the run continues without it. The reader then gets the queued
   * events and an `AgentError` with the code `reader_stopped`. Leaving the loop doesn't stop the run; abort its signal instead.
   */
  stream(): AsyncIterableIterator<Event>
}

/**
 * Starts the run in the next microtask, so that a subscriber in the same tick misses no event. `publish` converts each emitted event for
 * the subscribers, and is called only if there are any.
 */
export function startRun<Result, Event, Emitted = Event>(
  execute: (emit: (event: Emitted) => void | Promise<void>) => Promise<Result>,
  publish: (event: Emitted) => Event = (event) => event as never,
): Run<Result, Event> {
  const subscribers = new Set<Subscriber<Event>>()
  const promise = Promise.resolve().then(() =>
    execute((event) => {
      if (subscribers.size === 0) return
      const full: Promise<void>[] = []
      const published = publish(event)
      for (const subscriber of subscribers) {
        subscriber.push(published)
        if (subscriber.isFull) full.push(subscriber.drained())
      }
      if (full.length > 0) return Promise.all(full).then(() => undefined)
    }),
  )
  const stream = () => {
    const subscriber = new Subscriber<Event>(() => subscribers.delete(subscriber))
    subscribers.add(subscriber)
    // Reports a failure to the subscriber, even if the promise isn't awaited.
    promise.then(
      () => subscriber.close(),
      (error: unknown) => subscriber.fail(error),
    )
    return subscriber
  }
  return Object.assign(promise, { stream })
}

/** Number of queued events at which the run waits for the reader. */
const MOST_WAITING = 1000
/** How long a queue may stay full before its reader is dropped, in milliseconds. */
const READER_TIMEOUT = 60_000

/** A queue with an index for its head, because `shift` would take quadratic time for a burst of events. */
class Subscriber<Event> implements AsyncIterableIterator<Event> {
  #queue: Event[] = []
  #head = 0
  readonly #waiting: (() => void)[] = []
  readonly #onLeave: () => void
  #end: { readonly error?: unknown } | undefined
  #onDrained: (() => void)[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  /** False until the first read. A stream that is never read causes no backpressure. */
  #isRead = false

  constructor(onLeave: () => void) {
    this.#onLeave = onLeave
  }

  get isFull(): boolean {
    return this.#isRead && this.#end === undefined && this.#queue.length - this.#head >= MOST_WAITING
  }

  /** Resolves when the reader has taken all queued events, or has stopped. */
  drained(): Promise<void> {
    if (this.#timer === undefined) this.#watch()
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
    if (this.#timer !== undefined) this.#watch()
    if (this.#head === this.#queue.length) {
      this.#queue = []
      this.#head = 0
      this.#release()
    }
    return event
  }

  #watch(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.fail(readerStopped()), READER_TIMEOUT)
  }

  #release(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const go of this.#onDrained.splice(0)) go()
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end
    this.#release()
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

function readerStopped(): AgentError {
  const message = `stream() dropped its reader, which took none of ${MOST_WAITING} events for ${READER_TIMEOUT / 1000} s. Don't await the run inside the loop over its events.`
  return new AgentError('reader_stopped', message)
}
