/** The context that `execute` receives along with its arguments, and the call options that it's created from. */
import type { DeadlineState } from '../call/deadline.ts'
import { ToolError } from '../errors.ts'
import type { Issue } from '../schema/issue.ts'
import type { SchemaOutput } from '../schema/kinds.ts'
import { declaredBy, type SchemaNode } from '../schema/schema.ts'
import { issuesOf } from '../schema/validate.ts'
import type { InputRounds } from './input.ts'
import type { NestedCall, NestedHost, Question } from './nested.ts'

/** The second parameter of `execute`. `Values` is inferred from the tool's `context` schema. */
export interface ToolContext<Values extends object = object> {
  /** Id of the call. Empty when your own code calls `execute` directly. */
  readonly callId: string
  /**
   * Key for services that accept idempotency keys. Every attempt at the call has the same key, even after a crash. Empty unless the caller
   * passes a key. Agents always pass one, because a call id may occur again in another run.
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
   * call is rejected. Throws if this tool isn't defined with `nested`, or if no agent called it.
   *
   * The call passes through the same stages as a call made by the model: validation, approval, the write barrier, the deadline and the
   * journal. While the call is waiting for approval, the run may pause and continue in another process. `execute` then runs again from the
   * start, and receives the recorded results in the recorded order. It must therefore make the same calls again, and must not have other
   * side effects, await anything else, read the clock, or use random numbers.
   */
  call(request: NestedCall): Promise<unknown>
  /**
   * Asks the user a question, and returns the validated answer. Pauses the run until the user answers. In all other respects, it works like
   * `call`.
   */
  ask<Schema>(question: Question<Schema>): Promise<SchemaOutput<Schema>>
}

/** A call that is waiting for approval. */
export interface ApprovalRequest {
  readonly callId: string
  readonly name: string
  /**
   * The validated args that will be executed, with defaults filled in. If the schema transforms its input and the result can't be edited,
   * these are the args before the transformation.
   */
  readonly args: Readonly<Record<string, unknown>>
  /** Fires when no decision is needed anymore, for example because the tool that makes the call has timed out. */
  readonly signal?: AbortSignal | undefined
}

/** Options for a call. All are optional. */
export interface CallOptions {
  readonly callId?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly values?: object | undefined
  readonly progress?: ((update: unknown) => void) | undefined
  /** Called before a tool with `needsApproval` runs. Without it, such calls are refused. It has no deadline. */
  readonly approve?: ((request: ApprovalRequest) => boolean | Promise<boolean>) | undefined
  /**
   * Makes the nested calls of a tool with `nested`, and enforces its deadline. Set by agents. A call that a tool makes with `callTool`
   * doesn't inherit it, even if the tool passes its context as the options.
   */
  readonly nested?: NestedHost | undefined
  /** Lets the tool end its execution with `InputRequired`. Set by agents. Not inherited by a call that a tool makes with `callTool`. */
  readonly input?: InputRounds | undefined
}

/** Key of a context's reference to itself. A spread copies the reference, so the original context can be found from the copy. */
const SELF: unique symbol = Symbol.for('@x/tool-core/context') as never

/**
 * A context with all properties set. `signal` is a getter of the class, because a getter on each object would make a call 10% slower. A
 * spread of a context lacks the getter, so use `signalOf` to read the signal of options.
 */
class CallContext implements ToolContext {
  readonly callId: string
  readonly idempotencyKey: string
  readonly values: object
  /** Bound, so that a tool can destructure it: `({ city }, { progress }) => …`. */
  readonly progress: (update: unknown) => void
  readonly [SELF]: CallContext
  readonly #options: CallOptions
  readonly #deadline: DeadlineState | undefined
  #signal: AbortSignal | undefined

  constructor(options: CallOptions, deadline: DeadlineState | undefined) {
    this.callId = options.callId ?? ''
    this.idempotencyKey = options.idempotencyKey ?? ''
    this.values = options.values ?? {}
    this.progress = (update) => {
      if (deadline === undefined || !deadline.isOver()) options.progress?.(update)
    }
    this[SELF] = this
    this.#options = options
    this.#deadline = deadline
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#deadline?.signal() ?? signalOf(this.#options) ?? new AbortController().signal
    return this.#signal
  }

  get approve(): CallOptions['approve'] {
    return approveOf(this.#options)
  }

  /** Not named `input` like the option, so that a call doesn't inherit it when the context is passed as its options. */
  get inputRounds(): InputRounds | undefined {
    return this.#options.input
  }

  get host(): NestedHost | undefined {
    return nestedHostOf(this.#options)
  }

  // These getters return functions, so that a tool can destructure them.
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

/** Creates a context for an attempt. Progress is no longer reported once the attempt is over. */
export function createContext(options: CallOptions, deadline?: DeadlineState): ToolContext {
  return new CallContext(options, deadline)
}

/** True for a tool's context and for a spread of one. A call with such options is made within another call. */
export function isContext(options: CallOptions): boolean {
  return selfOf(options) !== undefined
}

/** Returns the signal of the options. For a spread of a context, this is the context's signal, unless the spread has its own. */
export function signalOf(options: CallOptions): AbortSignal | undefined {
  return options.signal ?? selfOf(options)?.signal
}

/** Returns the `approve` callback of the options. A tool's context has such a callback too, although its type doesn't declare it. */
export function approveOf(options: CallOptions | undefined): CallOptions['approve'] {
  return options && (options.approve ?? selfOf(options)?.approve)
}

/** Returns the host that makes a tool's nested calls. `options` are the options of a call, or a tool's context. */
export function nestedHostOf(options: CallOptions | undefined): NestedHost | undefined {
  return options && (options.nested ?? selfOf(options)?.host)
}

/** Returns what a tool needs to request input with `InputRequired`. Undefined if the tool's caller can't wait for the answers. */
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
 * Validates the values that a tool's `context` schema declares, and returns the issues. Ignores undeclared values, even if the schema is
 * closed, because several tools share the values. The issues have no `got`, because values are never logged.
 */
export async function checkContext(schema: object, values: object): Promise<readonly Issue[]> {
  const isClosed = (schema as SchemaNode).additionalProperties === false
  const issues = await issuesOf(schema, isClosed ? declaredBy(schema, values) : values)
  return issues.map(({ got: _got, ...issue }) => issue)
}
