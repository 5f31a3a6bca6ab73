/** The one error class of the package. */
import type { FieldError } from '@x/adapters'
import type { Trajectory } from './trajectory.ts'

/**
 * - `reserved_name`: a tool is named `submit` or `finish`; thrown when the agent is created.
 * - `invalid_options`: an option of the agent is missing or wrong; thrown when it is created.
 * - `closed`: the agent was closed. - `steps_failed`: the engine behind `steps` failed; `cause` is its error.
 * - `invalid_context`: run-scoped values that tools declare are missing or wrong; thrown before the first model call.
 * - `model_failed`: the model request failed; `cause` is its error. - `invalid_output`: the model did not give the outputs,
 *   also after it was told what is wrong. - `max_steps`: nor did it when its steps were used up. - `aborted`: the caller gave up.
 */
export type AgentErrorCode =
  | 'reserved_name'
  | 'invalid_options'
  | 'closed'
  | 'steps_failed'
  | 'invalid_context'
  | 'model_failed'
  | 'invalid_output'
  | 'max_steps'
  | 'aborted'

export interface AgentErrorOptions {
  /** What is wrong with the outputs, field by field. */
  readonly errors?: readonly FieldError[] | undefined
  /** What the model wrote last. */
  readonly rawOutput?: string | undefined
  /** What was said and done before it failed. */
  readonly trajectory?: Trajectory | undefined
  /** How many steps there were, when they are used up. */
  readonly steps?: number | undefined
  readonly cause?: unknown
}

export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: AgentErrorCode
  readonly errors: readonly FieldError[]
  readonly rawOutput: string | undefined
  readonly trajectory: Trajectory | undefined
  readonly steps: number | undefined

  constructor(code: AgentErrorCode, message: string, options: AgentErrorOptions = {}) {
    const { errors = [], rawOutput, trajectory, steps, cause } = options
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.errors = errors
    this.rawOutput = rawOutput
    this.trajectory = trajectory
    this.steps = steps
  }
}
