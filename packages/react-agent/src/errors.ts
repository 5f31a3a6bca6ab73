/** The error class of the package. */
import type { FieldError, Usage } from '@x/adapters'
import type { PausedRun } from './approval/paused-run.ts'
import type { UnknownCall } from './loop/outcome.ts'
import type { Trajectory } from './loop/result.ts'

/**
 * Mistakes in the program:
 *
 * - `reserved_name`: a tool has a name that agents use themselves. Thrown when the agent is created.
 * - `invalid_options`: an option of the agent or of a run is missing or invalid.
 * - `closed`: the agent has been closed.
 * - `invalid_context`: run-scoped values that tools declare are missing or invalid. Thrown before the first model call.
 * - `invalid_inputs`: an input is missing or doesn't match its schema. Thrown before the first model call.
 *
 * Failures of a run:
 *
 * - `model_failed`: a request to the model failed. `cause` is its error.
 * - `context_overflow`: the conversation doesn't fit the model's context window.
 * - `invalid_output`: the model returned no valid outputs, even after `maxRepairs` attempts.
 * - `max_steps`: the steps were used up, and the final answer was invalid.
 * - `budget_exceeded`: the run reached a limit of its `budget`.
 * - `timed_out`: the run took longer than `timeoutMs`.
 * - `aborted`: the caller aborted the run.
 * - `callback_failed`: `stopWhen`, `summarise` or the adapter's `parse` failed. `cause` is its error.
 * - `steps_failed`: the engine behind `steps` failed. `cause` is its error.
 * - `steps_mismatch`: the journal belongs to a run with other inputs, another id or another agent, or to another release.
 * - `reader_stopped`: a reader of events stopped reading. Thrown to the reader; the run continues.
 *
 * Approvals:
 *
 * - `approval_required`: the run waits for decisions. `paused` contains it.
 * - `approval_invalid`: a decision is invalid, or the call has changed since it was shown.
 * - `approval_expired`: the decision came too late.
 * - `invalid_paused_run`: the paused run is invalid or was changed, or a run can't be paused because JSON can't represent it.
 */
export type AgentErrorCode =
  | 'reserved_name'
  | 'invalid_options'
  | 'closed'
  | 'invalid_context'
  | 'invalid_inputs'
  | 'model_failed'
  | 'context_overflow'
  | 'invalid_output'
  | 'max_steps'
  | 'budget_exceeded'
  | 'timed_out'
  | 'aborted'
  | 'steps_failed'
  | 'steps_mismatch'
  | 'callback_failed'
  | 'reader_stopped'
  | 'approval_required'
  | 'approval_invalid'
  | 'approval_expired'
  | 'invalid_paused_run'

export interface AgentErrorOptions {
  /** Errors of the outputs, field by field. */
  readonly errors?: readonly FieldError[] | undefined
  /** Text of the model's last reply. */
  readonly rawOutput?: string | undefined
  /** The messages up to the failure. */
  readonly trajectory?: Trajectory | undefined
  /** The paused run, with the code `approval_required`. */
  readonly paused?: PausedRun | undefined
  /** Calls that may or may not have taken effect. */
  readonly unknownCalls?: readonly UnknownCall[] | undefined
  /** Number of steps, with the code `max_steps`. */
  readonly steps?: number | undefined
  /** Token usage up to the failure. */
  readonly usage?: Usage | undefined
  /** Cost of that usage. Undefined without `prices`. */
  readonly cost?: number | undefined
  readonly cause?: unknown
}

type Report = Pick<AgentErrorOptions, 'trajectory' | 'unknownCalls' | 'usage' | 'cost'>

/** Marks the errors of this package, even across two copies of it. */
const AGENT_ERROR: unique symbol = Symbol.for('@x/react-agent/error') as never

/** True for an `AgentError`, even from another copy of this package. */
export function isAgentError(thrown: unknown): thrown is AgentError {
  return typeof thrown === 'object' && thrown !== null && (thrown as Partial<AgentError>)[AGENT_ERROR] === true
}

/** The error of agents and modules. `code` says what happened. Other properties exist only if they are set. */
export class AgentError extends Error {
  readonly code: AgentErrorCode
  readonly errors: readonly FieldError[]
  declare readonly rawOutput?: string | undefined
  declare readonly trajectory?: Trajectory | undefined
  declare readonly paused?: PausedRun | undefined
  /** Calls that may or may not have taken effect. */
  readonly unknownCalls: readonly UnknownCall[]
  declare readonly steps?: number | undefined
  declare readonly usage?: Usage | undefined
  declare readonly cost?: number | undefined

  constructor(code: AgentErrorCode, message: string, options: AgentErrorOptions = {}) {
    const { errors = [], unknownCalls = [], cause, ...told } = options
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.errors = errors
    this.unknownCalls = unknownCalls
    for (const [field, value] of Object.entries(told)) if (value !== undefined) Object.assign(this, { [field]: value })
  }

  override get name(): 'AgentError' {
    return 'AgentError'
  }

  get [AGENT_ERROR](): true {
    return true
  }

  /** Adds what the error doesn't report itself. */
  withReport(report: Report): AgentError {
    return withReport(this, report)
  }

  /** For logs: the properties of the error, without cause and stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}

/** Outside of the class, because compilers rename a class that refers to itself. */
function withReport(error: AgentError, report: Report): AgentError {
  const unknownCalls = error.unknownCalls.length > 0 ? error.unknownCalls : (report.unknownCalls ?? [])
  if (error.usage !== undefined && unknownCalls.length === error.unknownCalls.length) return error
  return new AgentError(error.code, error.message, { ...report, ...error, cause: error.cause, unknownCalls })
}
