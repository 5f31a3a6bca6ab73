/** The one error class of the package. */
import type { Issue } from './schema/issue.ts'

/**
 * - `invalid_definition`: thrown by `define*`; the programmer's mistake.
 * - `unknown_tool`, `invalid_arguments`: the model's mistake; nothing ran.
 * - `invalid_context`: a run-scoped value that the tool declares is missing or wrong; nothing ran.
 * - `approval_required`: the call needs a yes that was not given; nothing ran.
 * - `execution_failed`, `hook_failed`, `invalid_output`: the tool's own failure.
 * - `timeout`, `aborted`: the tool was given up on; it may have had an effect.
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
  /** What was wrong, field by field. */
  readonly issues?: readonly Issue[] | undefined
  /** True when the same call may succeed later; only then is it repeated, up to the tool's `maxRetries`. */
  readonly retryable?: boolean | undefined
  /** What went wrong within the code, as the tool names it: `path_outside_root`. */
  readonly reason?: string | undefined
  /** For developers; never shown to a model. */
  readonly cause?: unknown
}

/** Marks the errors of this package, also across two copies of it. */
const TOOL_ERROR: unique symbol = Symbol.for('@x/tool-core/error') as never

/** True for a `ToolError` of any copy of this package. Never throws: what was thrown may be a proxy. */
export function isToolError(thrown: unknown): thrown is ToolError {
  try {
    return typeof thrown === 'object' && thrown !== null && (thrown as Partial<ToolError>)[TOOL_ERROR] === true
  } catch {
    return false
  }
}

/**
 * A tool that could not be defined or called. `message` is written for a model: no stack, no path of the machine.
 * A tool may throw one itself to choose the code and the words.
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

  /** For logs: what the error says, without its cause and its stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}
