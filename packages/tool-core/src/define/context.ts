/** The context of a call: what `execute` receives besides its arguments, and the options that it is created from. */
import { ToolError } from '../errors.ts'
import type { Issue } from '../schema/issue.ts'
import type { SchemaOutput } from '../schema/kinds.ts'
import { declaredBy, type SchemaNode } from '../schema/schema.ts'
import { issuesOf } from '../schema/validate.ts'
import type { InputRounds } from './input.ts'
import type { NestedCall, NestedHost, Question } from './nested.ts'

/** What `execute` receives besides its arguments. `Values` is inferred from the tool's `context` schema. */
export interface ToolContext<Values extends object = object> {
  /** Id of the call. Empty when your own code calls `execute` directly. */
  readonly callId: string
  /**
   * Idempotency key: the same for every attempt at the same call, even after a crash. Pass it to services that accept one. Empty unless the
   * caller passes one. An agent does, because call ids alone may repeat in another run.
   */
  readonly idempotencyKey: string
  /** Aborted when the caller aborts or the deadline passes. */
  readonly signal: AbortSignal
  /** Run-scoped values (user id, tenant, secrets) that the model never sees. */
  readonly values: Values
  /** Reports progress to the caller. */
  progress(update: unknown): void
  /**
   * Calls another tool of the run and returns its output. Rejects with a `NestedCallError`, for example if the arguments are invalid or the
   * call is rejected. Throws in a tool that isn't defined with `nested`, and in a call that no agent makes.
   *
   * The call passes the same stages as a call made by the model: validation, approval, the write barrier, deadline, journal. While it waits
   * for an approval, the run may pause and continue in another process. `execute` is then called again from its beginning, and gets the
   * recorded results in the recorded order. So it must make the same calls again: have no effect except by calls, await nothing but calls,
   * and read no clock and no random number.
   */
  call(request: NestedCall): Promise<unknown>
  /** Asks the user a question, and returns the validated answer. Pauses the run until it is answered. Otherwise like `call`. */
  ask<Schema>(question: Question<Schema>): Promise<SchemaOutput<Schema>>
}

/** A call that awaits approval. */
export interface ApprovalRequest {
  readonly callId: string
  readonly name: string
  /**
   * The args to be executed, validated and with defaults. The schema's input instead, if the schema transforms it and the output can't be
   * edited.
   */
  readonly args: Readonly<Record<string, unknown>>
}

/** Options for a call. All are optional. */
export interface CallOptions {
  readonly callId?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly values?: object | undefined
  readonly progress?: ((update: unknown) => void) | undefined
  /** Called before a tool with `needsApproval` runs. Without it, such a call is refused. It has no deadline. */
  readonly approve?: ((request: ApprovalRequest) => boolean | Promise<boolean>) | undefined
  /** Makes the calls of a tool with `nested`, and limits its time. Agents pass it. A context doesn't carry it into `callTool`. */
  readonly nested?: NestedHost | undefined
  /** Lets the tool end its execution with `InputRequired`. Agents pass it. A context doesn't carry it into `callTool`. */
  readonly input?: InputRounds | undefined
}

/** Property of a context, also copied by a spread, that refers to the context itself. */
const SELF: unique symbol = Symbol.for('@x/tool-core/context') as never

/** The state of an attempt that its context reads. */
export interface ContextSource {
  /** Called only when the signal is read. */
  readonly signal: () => AbortSignal
  /** True once progress is no longer reported. */
  readonly isOver: () => boolean
}

/**
 * A complete context. `signal` is a getter of the class, because a getter on each object makes a call 10% slower. A spread doesn't copy
 * it, so read the signal of options with `signalOf`.
 */
class CallContext implements ToolContext {
  readonly callId: string
  readonly idempotencyKey: string
  readonly values: object
  /** Bound, so that a tool can destructure it: `({ city }, { progress }) => …`. */
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

  /** Not named like the option, so that a context that is passed on as options doesn't carry it. */
  get inputRounds(): InputRounds | undefined {
    return this.#options.input
  }

  get host(): NestedHost | undefined {
    return nestedHostOf(this.#options)
  }

  // Getters, so that a tool can destructure them.
  get call() {
    return (request: NestedCall) => assertHost(this.host, 'call').call(request)
  }

  get ask() {
    return (question: unknown): never => assertHost(this.host, 'ask').ask(question as never) as never
  }
}

function assertHost(host: NestedHost | undefined, method: string): NestedHost {
  if (host !== undefined) return host
  throw new ToolError(
    'nested_unavailable',
    `context.${method} is not available here. Define the tool with \`nested: true\`, and let an agent call it.`,
  )
}

/** Returns the complete context of a call, with defaults for missing options. A complete context is returned unchanged. */
export function toContext(options: CallOptions = {}): ToolContext {
  return selfOf(options) === options ? (options as CallContext) : createContext(options)
}

/** Creates a context. An attempt passes its `source`. */
export function createContext(options: CallOptions, source?: ContextSource): ToolContext {
  return new CallContext(options, source)
}

/** True for a tool's context and for a spread of it: options of a call that is made within another call. */
export function isContext(options: CallOptions): boolean {
  return selfOf(options) !== undefined
}

/** The signal of the options. For a spread context without its own signal, the context's signal. */
export function signalOf(options: CallOptions): AbortSignal | undefined {
  return options.signal ?? selfOf(options)?.signal
}

/** The `approve` callback of the options. A tool's context carries it too, although its type doesn't declare it. */
export function approveOf(options: CallOptions | undefined): CallOptions['approve'] {
  return options && (options.approve ?? selfOf(options)?.approve)
}

/** The host of a tool's nested calls, from the options or from the context passed as options. */
export function nestedHostOf(options: CallOptions | undefined): NestedHost | undefined {
  return options && (options.nested ?? selfOf(options)?.host)
}

/** Returns how a tool can ask for input by `InputRequired`. Undefined if its caller can't wait for the answers. */
export function inputOf(context: ToolContext): InputRounds | undefined {
  return selfOf(context)?.inputRounds
}

/** Returns a copy of the context with different run-scoped values. Its ids, signal, progress, approval and input are kept. */
export function withValues(context: CallOptions | undefined, values: object): ToolContext {
  const complete = toContext(context)
  return createContext({ ...complete, values, input: inputOf(complete) })
}

function selfOf(options: CallOptions): CallContext | undefined {
  return (options as Partial<CallContext>)[SELF]
}

/**
 * Validates the values that a tool's `context` schema declares, and returns the issues; the list is empty if they are valid. Undeclared
 * values are ignored, even if the schema is closed, because several tools share the values. Issues have no `got`, because values are never
 * logged.
 */
export async function checkContext(schema: object, values: object): Promise<readonly Issue[]> {
  const isClosed = (schema as SchemaNode).additionalProperties === false
  const issues = await issuesOf(schema, isClosed ? declaredBy(schema, values) : values)
  return issues.map(({ got: _got, ...issue }) => issue)
}
