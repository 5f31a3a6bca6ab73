/** The error class of the package. */
import type { FieldError, Usage } from '@x/adapters'
import type { PausedRun } from './approval/paused-run.ts'
import type { UnknownCall } from './loop/outcome.ts'
import type { Trajectory } from './loop/result.ts'

/**
 * The `code` of an `AgentError`, meant for the programmer.
 *
 * Mistakes in the program:
 *
 * - `reserved_name`: a tool is named `submit`, `finish`, `read_result` or, with `search`, `search_tools` or `call_tool`. Thrown when the agent
 *   is created. Fix: rename the tool.
 * - `invalid_options`: an option of an agent, a module or a run is missing or invalid. Fix: pass what the message asks for.
 * - `closed`: the agent has been closed. Fix: create another one, or close it later.
 * - `invalid_context`: run-scoped values that tools declare are missing or invalid. Thrown before the first model call. Fix: pass them in
 *   the run's `context`.
 * - `invalid_inputs`: an input is missing or doesn't match its schema. Thrown before the first model call. Fix: pass the inputs that the
 *   signature declares.
 *
 * Failures of a run:
 *
 * - `model_failed`: a request to the model failed. Fix: see the model's error in `cause`.
 * - `context_overflow`: the conversation doesn't fit the model's context window. Fix: shorten the inputs, or the results of tools.
 * - `invalid_output`: the model returned no valid outputs, even after `maxRepairs` attempts. Fix: see `errors` and `rawOutput`. Describe
 *   the outputs better, or use another model.
 * - `max_steps`: the steps were used up, and the final answer was invalid. Fix: raise `maxSteps`, or give the agent a smaller task.
 * - `budget_exceeded`: the run reached a limit of its `budget`. Fix: raise the limit that the message names.
 * - `timed_out`: the run took longer than `timeoutMs`. Fix: raise `timeoutMs`. Check `unknownCalls` before you run it again.
 * - `aborted`: the caller aborted the run. Fix: check `unknownCalls` before you run it again.
 * - `callback_failed`: `stopWhen`, `summarize` or the adapter's `parse` failed. Fix: see that function's error in `cause`.
 * - `steps_failed`: the engine behind `steps` failed. Fix: see the engine's error in `cause`.
 * - `steps_mismatch`: the journal belongs to a run with other inputs, another id or another agent, or was recorded by another release, or
 *   one of its records was changed. Fix: use the journal of this run, or a new one.
 * - `agent_changed`: the journal was written by an earlier version of the agent. An unfinished call no longer fits: its tool is
 *   missing, has another `effect`, now requires approval or no longer does, or its approved arguments are no longer valid. Inputs that
 *   are no longer valid have the same effect, and so has a program that called a tool that is now missing or has another schema. This version
 *   runs nothing; the call may have been interrupted while it ran. Fix: continue the run with the version that started it.
 * - `reader_stopped`: a reader of events stopped reading. Thrown to the reader; the run continues. Fix: read all events, and don't await
 *   the run inside the loop.
 *
 * Approvals:
 *
 * - `approval_required`: the run is waiting for decisions. Fix: pass decisions about the calls in `paused` to `resume`.
 * - `approval_invalid`: a decision is invalid, or a paused run's call has changed since it was shown. Fix: pass a decision of the form in the
 *   message, or start a new run.
 * - `approval_expired`: the decision came too late. Fix: start a new run, or raise `pauses.expiresInMs`.
 * - `invalid_paused_run`: the paused run is invalid or was changed, or a run can't be paused because JSON can't represent it. Fix: pass
 *   the paused run unchanged to the agent that paused it. If the run can't be paused, return JSON data from the tools; `cause` names
 *   the value.
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
  | 'callback_failed'
  | 'steps_failed'
  | 'steps_mismatch'
  | 'agent_changed'
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
  /** The paused run. Set only if the code is `approval_required`. */
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

/** Returns true for an `AgentError`, even from another copy of this package. */
export function isAgentError(thrown: unknown): thrown is AgentError {
  return typeof thrown === 'object' && thrown !== null && (thrown as Partial<AgentError>)[AGENT_ERROR] === true
}

/** The error of agents and modules. `code` identifies what happened. Other properties exist only if they are set. */
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
    const { errors = [], unknownCalls = [], cause, ...fields } = options
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.errors = errors
    this.unknownCalls = unknownCalls
    for (const [field, value] of Object.entries(fields)) if (value !== undefined) Object.assign(this, { [field]: value })
  }

  override get name(): 'AgentError' {
    return 'AgentError'
  }

  get [AGENT_ERROR](): true {
    return true
  }

  /** Returns the properties to log: all but the cause and the stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}

export const ABORTED = 'The run was aborted by the caller.'

/** Returns the message of a value that another function threw. */
export function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

/** Adds the parts of the report that the error lacks. */
export function withReport(error: AgentError, report: Report): AgentError {
  const unknownCalls = error.unknownCalls.length > 0 ? error.unknownCalls : (report.unknownCalls ?? [])
  if (error.usage !== undefined && unknownCalls.length === error.unknownCalls.length) return error
  return new AgentError(error.code, error.message, { ...report, ...error, cause: error.cause, unknownCalls })
}
