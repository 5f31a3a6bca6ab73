/** The error class of the package. */
import type { Issue } from './schema/issue.ts'

/**
 * - `invalid_definition`: a programming error, thrown by `define*`.
 * - `unknown_tool`, `invalid_arguments`: the model's mistake; nothing ran.
 * - `invalid_context`: a run-scoped value that the tool declares is missing or invalid; nothing ran.
 * - `approval_required`: the call needs approval and didn't get it; nothing ran.
 * - `execution_failed`, `hook_failed`, `invalid_output`: the tool failed.
 * - `timeout`, `aborted`: the call no longer waits for the tool, which may still take effect.
 */
export type ToolErrorCode =
  | 'invalid_definition'
  | 'unknown_tool'
  | 'invalid_arguments'
  | 'invalid_context'
  | 'approval_required'
  | 'execution_failed'
  | 'hook_failed'
  | 'invalid_output'
  | 'timeout'
  | 'aborted'

export interface ToolErrorOptions {
  /** Validation issues, one per field. */
  readonly issues?: readonly Issue[] | undefined
  /** True if the same call may succeed later. Only such errors are retried, up to the tool's `maxRetries`. Default: false. */
  readonly retryable?: boolean | undefined
  /** A more specific reason, named by the tool: `path_outside_root`. */
  readonly reason?: string | undefined
  /** The original error, for developers. Never shown to a model. */
  readonly cause?: unknown
}

/** Marks the errors of this package, including those of another copy of it. */
const TOOL_ERROR: unique symbol = Symbol.for('@x/tool-core/error') as never

/** True for a `ToolError` of any copy of this package. Never throws, even for a proxy. */
export function isToolError(thrown: unknown): thrown is ToolError {
  try {
    return typeof thrown === 'object' && thrown !== null && (thrown as Partial<ToolError>)[TOOL_ERROR] === true
  } catch {
    return false
  }
}

/**
 * Error of a definition or a call. `message` is written for a model: it contains no stack and no file path.
 * A tool can throw one to choose the code and the message that the model reads.
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

  /** For logs: all fields except the cause and the stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}
