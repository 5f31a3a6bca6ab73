/** One span, from its start to its end, which no fault of a tracer can break. */
import { type Attributes, type Context, type Span, type SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { guarded } from './guarded.ts'

/** Milliseconds since 1970, of which those of one trace never go back. */
export type Clock = () => number

/** Begins at the time of day; what is measured from there is not moved when somebody sets it. */
export function createClock(): Clock {
  const offset = Date.now() - performance.now()
  return () => offset + performance.now()
}

/** A clock that shows the time of what is told, while there is one, and never goes back. */
export class ToldClock {
  readonly #own = createClock()
  #latest = 0
  /** When what is told now happened. */
  told: number | undefined

  readonly now: Clock = () => {
    const now = Number.isFinite(this.told) ? (this.told as number) : this.#own()
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
  /** Those by which a sampler may decide. */
  readonly attributes: Attributes
}

export class Operation {
  /** In which the span is the active one. */
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

  /** Those that are undefined are left out. */
  set(attributes: Attributes): void {
    guarded('setting attributes', () => this.#span?.setAttributes(defined(attributes)))
  }

  addEvent(name: string, attributes: Attributes = {}): void {
    guarded('adding an event', () => this.#span?.addEvent(name, defined(attributes), this.#clock()))
  }

  /** Once; `errorType` says that it failed. Nothing else is told of the error: its message and its stack may hold content. */
  end(errorType?: string): void {
    const ended = this.#clock()
    this.#ended = ended
    if (errorType !== undefined) {
      this.set({ 'error.type': errorType })
      guarded('setting a status', () => this.#span?.setStatus({ code: SpanStatusCode.ERROR }))
    }
    guarded('ending a span', () => this.#span?.end(ended))
  }

  /** Since its start, until its end when it has one. */
  seconds(): number {
    return ((this.#ended ?? this.#clock()) - this.#started) / 1000
  }
}

/** Exporters differ in what they make of an attribute that is undefined. */
function defined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}
