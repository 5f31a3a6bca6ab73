/** A span that is started and ended once. Errors in the tracer don't affect the program. */
import { type Attributes, type Context, type Span, type SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { guarded } from '../guarded.ts'

/** Returns milliseconds since 1970. Never goes back within a trace. */
export type Clock = () => number

/** Creates a clock that starts at the current time. Later changes to the system clock don't affect it. */
export function createClock(): Clock {
  const offset = Date.now() - performance.now()
  return () => offset + performance.now()
}

/** A clock that returns the time of the event that is being processed, or the current time between events. It never goes back. */
export class EventClock {
  readonly #own = createClock()
  #latest = 0
  /** Time of the current event. Undefined between events. */
  eventTime: number | undefined

  readonly now: Clock = () => {
    const now = Number.isFinite(this.eventTime) ? (this.eventTime as number) : this.#own()
    this.#latest = Math.max(this.#latest, now)
    return this.#latest
  }
}

export interface OperationOptions {
  readonly tracer: Tracer
  readonly clock: Clock
  readonly parent: Context
  readonly name: string
  readonly kind: SpanKind
  /** Attributes that are known at the start, so that a sampler can use them. */
  readonly attributes: Attributes
}

export class Operation {
  /** The context in which the span is active. */
  readonly context: Context
  readonly #clock: Clock
  readonly #started: number
  readonly #span: Span | undefined
  #ended: number | undefined

  constructor({ tracer, clock, parent, name, kind, attributes }: OperationOptions) {
    this.#clock = clock
    this.#started = clock()
    this.#span = guarded('starting a span', () =>
      tracer.startSpan(name, { kind, attributes: defined(attributes), startTime: this.#started }, parent),
    )
    const span = this.#span
    this.context = (span && guarded('setting the active span', () => trace.setSpan(parent, span))) ?? parent
  }

  rename(name: string): void {
    guarded('naming a span', () => this.#span?.updateName(name))
  }

  /** Sets attributes. Skips those that are undefined. */
  set(attributes: Attributes): void {
    guarded('setting attributes', () => this.#span?.setAttributes(defined(attributes)))
  }

  /** Sets attributes with content. Reads and redacts it only if the span is recorded. */
  setContent(what: string, read: () => Attributes | undefined): void {
    if (guarded('reading a span', () => this.#span?.isRecording())) this.set(guarded(what, read) ?? {})
  }

  addEvent(name: string, attributes: Attributes = {}): void {
    guarded('adding an event', () => this.#span?.addEvent(name, defined(attributes), this.#clock()))
  }

  /**
   * Ends the span. Must be called only once. `errorType` marks a failure. The error's message and stack aren't recorded, because they may
   * contain content.
   */
  end(errorType?: string): void {
    const ended = this.#clock()
    this.#ended = ended
    if (errorType !== undefined) {
      this.set({ 'error.type': errorType })
      guarded('setting a status', () => this.#span?.setStatus({ code: SpanStatusCode.ERROR }))
    }
    guarded('ending a span', () => this.#span?.end(ended))
  }

  /** Returns the seconds from the start to the end, or to now if the operation hasn't ended. */
  seconds(): number {
    return ((this.#ended ?? this.#clock()) - this.#started) / 1000
  }
}

/** Removes attributes whose value is undefined, because exporters treat undefined in different ways. */
function defined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}
