/** The error class of the package. */
import type { Issue } from './schema/issue.ts'

/**
 * The `code` of a `ToolError`. A model reads the message, except for `invalid_definition`, which is meant for the programmer.
 *
 * - `invalid_definition`: a tool, an action or an option is invalid. Thrown at definition. Fix: change what the message names.
 * - `unknown_tool`: the model called a tool that doesn't exist. Nothing ran. Fix: return the message to the model; it lists the tools.
 * - `invalid_arguments`: the arguments don't match the tool's schema, or exceed a limit. Nothing ran. Fix: return the message to the model.
 *   If it happens often, describe the arguments better.
 * - `invalid_context`: a run-scoped value that the tool declares is missing or invalid. Nothing ran. Fix: pass the value in the call's
 *   `values`, or in the run's `context`.
 * - `approval_required`: the call needs approval and wasn't approved. Nothing ran. Fix: pass `approve`, or let the model read the refusal.
 * - `execution_failed`: the tool threw an error. Fix: see `cause`, and `reason` if the tool sets one.
 * - `nested_unavailable`: the tool used `context.call` or `context.ask`, but it isn't defined with `nested`, or it wasn't called by an
 *   agent. Fix: set `nested` in its definition, and let an agent call it.
 * - `hook_failed`: a hook threw an error. After `execute`, the tool has already run. Fix: see `cause`. Check for effects before you
 *   repeat the call.
 * - `invalid_output`: the output doesn't match the tool's output schema. The tool did run. Fix: return what the schema declares.
 * - `input_required`: the tool needs input from the user, and its caller can't wait for it. Fix: let an agent call the tool.
 * - `invalid_content`: an image or a file has an invalid media type, name, URL or base64. Fix: change what the message names. If the image
 *   or file came from `toModelOutput`, the call succeeded, and the model reads the output instead.
 * - `timeout`: a tool or hook didn't finish in time, and may still take effect. Fix: raise `timeoutMs`, and stop the work when the
 *   `signal` passed to `execute` aborts.
 * - `aborted`: the caller aborted the call, which may still take effect. Fix: check whether it took effect before you repeat it.
 */
export type ToolErrorCode =
  | 'invalid_definition'
  | 'unknown_tool'
  | 'invalid_arguments'
  | 'invalid_context'
  | 'approval_required'
  | 'execution_failed'
  | 'nested_unavailable'
  | 'hook_failed'
  | 'invalid_output'
  | 'input_required'
  | 'invalid_content'
  | 'timeout'
  | 'aborted'

export interface ToolErrorOptions {
  /** Validation issues, one per field. */
  readonly issues?: readonly Issue[] | undefined
  /** True if the same call may succeed later. Only such errors are retried, up to the tool's `maxRetries`. Default: false. */
  readonly retryable?: boolean | undefined
  /** A more specific code that the tool defines, e.g. `path_outside_root`. */
  readonly reason?: string | undefined
  /** The original error, for developers. A model never sees it. */
  readonly cause?: unknown
}

/**
 * Returns an error for invalid arguments. It has no stack, because a model reads only the message, and collecting a stack takes as long as
 * validating the arguments.
 */
export function wrongArguments(message: string, issues: readonly Issue[]): ToolError {
  const { stackTraceLimit } = Error
  // `Reflect.set` doesn't throw if `Error` is frozen.
  Reflect.set(Error, 'stackTraceLimit', 0)
  const error = new ToolError('invalid_arguments', message, { issues })
  Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
  return error
}

/** Marks this package's errors, including those created by another copy of the package. */
const TOOL_ERROR: unique symbol = Symbol.for('@x/tool-core/error') as never

/** True for a `ToolError` from any copy of this package. Never throws, even for a proxy. */
export function isToolError(thrown: unknown): thrown is ToolError {
  try {
    return typeof thrown === 'object' && thrown !== null && (thrown as Partial<ToolError>)[TOOL_ERROR] === true
  } catch {
    return false
  }
}

/**
 * An error in a definition or a call. `message` is written for a model, and contains no stack and no file path. A tool can throw a
 * `ToolError` itself to choose the code and the message that the model reads.
 */
export class ToolError extends Error {
  readonly code: ToolErrorCode
  readonly issues: readonly Issue[]
  readonly retryable: boolean
  declare readonly reason?: string | undefined

  constructor(code: ToolErrorCode, message: string, { issues = [], retryable = false, reason, cause }: ToolErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.issues = issues
    this.retryable = retryable
    if (reason !== undefined) this.reason = reason
  }

  override get name(): 'ToolError' {
    return 'ToolError'
  }

  get [TOOL_ERROR](): true {
    return true
  }

  /** Returns the fields to log: all but the cause and the stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}
