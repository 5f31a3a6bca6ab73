/** The error class of this package. */

/**
 * Misuse:
 * - `invalid_options`, `invalid_id`: an option or a run id is invalid.
 * - `missing_package`: a package that the engine needs is not installed.
 * - `unknown_run`: no run has this id.
 * - `another_input`: the run with this id was started with a different input.
 * - `closed`: the engine or the journal is closed.
 *
 * Runs:
 * - `run_failed`: its function rejected. `failure` describes the error; `cause` is the error itself if it occurred in this process.
 * - `run_cancelled`: the run was cancelled.
 * - `run_ended`: the run is over and accepts no decisions.
 * - `already_decided`: a different decision of this name exists.
 * - `invalid_value`: a step result, input, output or decision is not plain data, or is too large. It was not recorded.
 * - `key_in_use`: a step with this key is running, or a decision of this name is being recorded.
 * - `lost`: another worker took over the run, because this one didn't respond. Nothing more is recorded here.
 *
 * Storage:
 * - `engine_failed`: the server didn't answer or refused; `cause` is its error.
 * - `write_failed`: a record may not have reached the disk. A journal accepts no more; a file worker keeps the record and retries.
 * - `in_use`: another process, or another journal of this process, has the file open.
 * - `cannot_open`: the file system refused access.
 * - `not_a_journal`, `unsupported_version`, `broken`: the file cannot be used and was left unchanged.
 */
export type DurableErrorCode =
  | 'invalid_options'
  | 'invalid_id'
  | 'missing_package'
  | 'unknown_run'
  | 'another_input'
  | 'closed'
  | 'run_failed'
  | 'run_cancelled'
  | 'run_ended'
  | 'already_decided'
  | 'invalid_value'
  | 'key_in_use'
  | 'lost'
  | 'engine_failed'
  | 'write_failed'
  | 'in_use'
  | 'cannot_open'
  | 'not_a_journal'
  | 'unsupported_version'
  | 'broken'

/** The error that a run failed with, as plain data. */
export interface RunFailure {
  readonly name: string
  readonly message: string
  /** The code of the error, if it has one: `max_steps`, `budget_exceeded`, … */
  readonly code?: string | undefined
}

export interface DurableErrorOptions {
  readonly failure?: RunFailure | undefined
  readonly cause?: unknown
}

/** Thrown by engines and journals. Messages name files without their folders. */
export class DurableError extends Error {
  readonly code: DurableErrorCode
  declare readonly failure?: RunFailure | undefined

  constructor(code: DurableErrorCode, message: string, { failure, cause }: DurableErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    if (failure !== undefined) this.failure = failure
  }

  override get name(): 'DurableError' {
    return 'DurableError'
  }

  /** For logs: code and message, without cause and stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}
