/** What an execution receives besides its arguments. */

/** `Values` is typed where a tool is defined, from its `context` schema. */
export interface ToolContext<Values extends object = object> {
  /** Id of the call; empty when your own code calls `execute` directly. */
  readonly callId: string
  /**
   * The same for every attempt at the same call, also after a crash: hand it to services that take one. Empty unless the
   * caller gives one, as an agent does: ids of calls alone come again in the next run.
   */
  readonly idempotencyKey: string
  /** Aborted when the caller gives up or the deadline passes. */
  readonly signal: AbortSignal
  /** Run-scoped values (user id, tenant, secrets) that the model never sees. */
  readonly values: Values
  /** Reports progress to whoever watches the run. */
  progress(update: unknown): void
}

/** A call that waits for a yes. */
export interface ApprovalRequest {
  readonly callId: string
  readonly name: string
  /** As they will be executed: checked, with defaults filled in. */
  readonly args: Readonly<Record<string, unknown>>
}

/** What a caller may pass; everything is optional. */
export interface CallOptions {
  readonly callId?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly values?: object | undefined
  readonly progress?: ((update: unknown) => void) | undefined
  /** Asked before a tool with `needsApproval` runs; without it such a call is refused. It may take its time. */
  readonly approve?: ((request: ApprovalRequest) => boolean | Promise<boolean>) | undefined
}

/** A complete context. The abort signal is made only for a tool that reads it. */
export class CallContext implements ToolContext {
  readonly callId: string
  readonly idempotencyKey: string
  readonly values: object
  /** Own and bound, so that a tool may take it apart: `({ city }, { progress }) => …`. */
  readonly progress: (update: unknown) => void
  readonly #options: CallOptions
  #signal: AbortSignal | undefined

  constructor(options: CallOptions = {}) {
    this.callId = options.callId ?? ''
    this.idempotencyKey = options.idempotencyKey ?? ''
    this.values = options.values ?? {}
    this.progress = (update) => this.report(update)
    this.#options = options
  }

  /** What a context was made from: for calls that are made in the name of this one. */
  static optionsOf(context: CallContext): CallOptions {
    return context.#options
  }

  /** The caller's context as a complete one. */
  static from(context: CallOptions | undefined): CallContext {
    return context instanceof CallContext ? context : new CallContext(context)
  }

  protected report(update: unknown): void {
    this.#options.progress?.(update)
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#options.signal ?? new AbortController().signal
    return this.#signal
  }
}

/** The complete context of a call: what the caller gave, and defaults for the rest. */
export function toContext(options?: CallOptions): ToolContext {
  return CallContext.from(options)
}

/** The same call with other run-scoped values: its ids, signal, progress and approval stay. */
export function withValues(context: CallOptions | undefined, values: object): ToolContext {
  const whole = CallContext.from(context)
  const { callId, idempotencyKey, progress } = whole
  const { approve } = CallContext.optionsOf(whole)
  return new CallContext({
    ...{ callId, idempotencyKey, values, progress, approve },
    // Made only for who reads it.
    get signal() {
      return whole.signal
    },
  })
}
