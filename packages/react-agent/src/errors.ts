/** The one error class of the package. */
import type { FieldError, Usage } from '@x/adapters'
import type { PausedRun } from './approval/paused-run.ts'
import type { UnknownCall } from './loop/outcome.ts'
import type { Trajectory } from './loop/result.ts'

/**
 * Of whoever wrote the program: - `reserved_name`: a tool has a name that agents use themselves; thrown when the agent is created.
 * - `invalid_options`: an option of the agent or of a run is missing or wrong. - `closed`: the agent was closed.
 * - `invalid_context`: run-scoped values that tools declare are missing or wrong; thrown before the first model call.
 * - `invalid_inputs`: an input is missing or does not fit its schema; thrown before the first model call.
 *
 * Of a run: - `model_failed`: the model request failed; `cause` is its error. - `context_overflow`: the conversation is longer than the
 * model can read. - `invalid_output`: the model did not give the outputs, also after it was told what is wrong. - `max_steps`: nor did
 * it when its steps were used up. - `budget_exceeded`, `timed_out`: the run would have cost more, or taken longer, than it may.
 * - `aborted`: the caller gave up. - `steps_failed`: the engine behind `steps` failed; `cause` is its error.
 * - `reader_stopped`: thrown to a reader of events that stopped reading, not by the run.
 * - `callback_failed`: `stopWhen`, `summarise` or the adapter's `parse` did; `cause` is its error. - `steps_mismatch`: what it recorded is of a run with other inputs or another agent.
 *
 * Of approvals: - `approval_required`: the run waits for decisions; `paused` holds it. - `approval_invalid`: a decision cannot be used.
 * - `approval_expired`: it came too late. - `invalid_paused_run`: what was to be resumed is none, or was changed; or a run cannot be
 * kept as plain data while it waits.
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
  /** What is wrong with the outputs, field by field. */
  readonly errors?: readonly FieldError[] | undefined
  /** What the model wrote last. */
  readonly rawOutput?: string | undefined
  /** What was said and done before it failed. */
  readonly trajectory?: Trajectory | undefined
  /** The run that waits. */
  readonly paused?: PausedRun | undefined
  readonly unknownCalls?: readonly UnknownCall[] | undefined
  /** How many steps there were, when they are used up. */
  readonly steps?: number | undefined
  /** What the run used until it failed. */
  readonly usage?: Usage | undefined
  /** What that costs, where prices are given. */
  readonly cost?: number | undefined
  readonly cause?: unknown
}

type Report = Pick<AgentErrorOptions, 'trajectory' | 'unknownCalls' | 'usage' | 'cost'>

/** Marks the errors of this package, also across two copies of it. */
const AGENT_ERROR: unique symbol = Symbol.for('@x/react-agent/error') as never

/** True for an `AgentError` of any copy of this package. */
export function isAgentError(thrown: unknown): thrown is AgentError {
  return typeof thrown === 'object' && thrown !== null && (thrown as Partial<AgentError>)[AGENT_ERROR] === true
}

/** What is not known is no property of it. */
export class AgentError extends Error {
  readonly code: AgentErrorCode
  readonly errors: readonly FieldError[]
  declare readonly rawOutput?: string | undefined
  declare readonly trajectory?: Trajectory | undefined
  declare readonly paused?: PausedRun | undefined
  /** Calls that were started and given up on: they may have been carried out. */
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

  /** The same, with what it does not say itself. */
  withReport(report: Report): AgentError {
    return withReport(this, report)
  }

  /** For logs: what the error says, without its cause and its stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}

/** Outside of the class: one that names itself is printed under another name by compilers. */
function withReport(error: AgentError, report: Report): AgentError {
  const unknownCalls = error.unknownCalls.length > 0 ? error.unknownCalls : (report.unknownCalls ?? [])
  if (error.usage !== undefined && unknownCalls.length === error.unknownCalls.length) return error
  return new AgentError(error.code, error.message, { ...report, ...error, cause: error.cause, unknownCalls })
}
