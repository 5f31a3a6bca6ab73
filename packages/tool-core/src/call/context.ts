import type { Issue } from '../schema/issue.ts'
import { declaredBy, type SchemaNode } from '../schema/schema.ts'
import { checkOf } from '../schema/validate.ts'

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
  /** As they will be executed, checked and with defaults; of a schema that transforms, as they were given to it. */
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

/** Leads from a context, and from a spread of it, to the context itself. */
const SELF: unique symbol = Symbol.for('@x/tool-core/context') as never

/** How an attempt looks at the call that it belongs to. */
export interface ContextSource {
  /** Asked for when somebody reads the signal, and only then. */
  readonly signal: () => AbortSignal
  /** What comes after that is not reported. */
  readonly isOver: () => boolean
}

/**
 * A complete context. `signal` is a getter of the class, because one on each object makes a call a tenth slower; a spread
 * does not copy it, so whoever takes options reads them with `signalOf`.
 */
class CallContext implements ToolContext {
  readonly callId: string
  readonly idempotencyKey: string
  readonly values: object
  /** Own and bound, so that a tool may take it apart: `({ city }, { progress }) => …`. */
  readonly progress: (update: unknown) => void
  readonly [SELF]: CallContext
  readonly #options: CallOptions
  readonly #source: ContextSource | undefined
  #signal: AbortSignal | undefined

  constructor(options: CallOptions, source: ContextSource | undefined) {
    this.callId = options.callId ?? ''
    this.idempotencyKey = options.idempotencyKey ?? ''
    this.values = options.values ?? {}
    this.progress = (update) => {
      if (source === undefined || !source.isOver()) options.progress?.(update)
    }
    this[SELF] = this
    this.#options = options
    this.#source = source
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#source?.signal() ?? signalOf(this.#options) ?? new AbortController().signal
    return this.#signal
  }

  get approve(): CallOptions['approve'] {
    return approveOf(this.#options)
  }
}

/** The complete context of a call: what the caller gave, and defaults for the rest. One that is complete is given back. */
export function toContext(options: CallOptions = {}): ToolContext {
  return selfOf(options) === options ? (options as CallContext) : createContext(options)
}

/** `source` is given by an attempt. */
export function createContext(options: CallOptions, source?: ContextSource): ToolContext {
  return new CallContext(options, source)
}

/** True for what a tool was given, and for a spread of it: a call that is made with it is made in the name of another. */
export function isContext(options: CallOptions): boolean {
  return selfOf(options) !== undefined
}

/** The signal of options; of a spread context, that of the context, unless another was put in its place. */
export function signalOf(options: CallOptions): AbortSignal | undefined {
  return options.signal ?? selfOf(options)?.signal
}

/** Who may be asked for approval, also through the context of a tool, whose type does not show it. */
export function approveOf(options: CallOptions | undefined): CallOptions['approve'] {
  return options && (options.approve ?? selfOf(options)?.approve)
}

/** The same call with other run-scoped values: its ids, signal, progress and approval stay. */
export function withValues(context: CallOptions | undefined, values: object): ToolContext {
  return createContext({ ...toContext(context), values })
}

function selfOf(options: CallOptions): CallContext | undefined {
  return (options as Partial<CallContext>)[SELF]
}

/**
 * What is wrong with the values that a tool's `context` declares; empty when they fit. Values that it does not declare are none of its
 * business, also where its schema is closed: several tools share them. No issue says what was got, since such values are never logged.
 */
export async function checkContext(schema: object, values: object): Promise<readonly Issue[]> {
  const isClosed = (schema as SchemaNode).additionalProperties === false
  const issues = (await checkOf(schema))(isClosed ? declaredBy(schema, values) : values)
  return issues.map(({ got: _got, ...issue }) => issue)
}
