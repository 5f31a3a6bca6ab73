/** The one error class of the package. */

/**
 * Of whoever wrote the program: - `invalid_options`, `invalid_id`: an option, or the id of a run, is wrong.
 * - `missing_package`: what the engine needs is not installed. - `unknown_run`: no run has this id.
 * - `another_input`: the run of this id was started with another input. - `closed`: the engine or the journal was closed.
 *
 * Of a run: - `run_failed`: its function rejected; `failure` says with what, and `cause` is that where it happened in this process.
 * - `run_cancelled`. - `run_ended`: it cannot be decided about any more. - `already_decided`: a decision of this name is there, another one.
 * - `invalid_value`: what a step gave, an input, an output or a decision is no plain data, or too large; it was not recorded.
 * - `key_in_use`: a step of this key is running, or a decision is being recorded.
 * - `lost`: another worker has the run now, since this one was not heard of; nothing of it is recorded here any more.
 *
 * Of what keeps the records: - `engine_failed`: it did not answer, or refused; `cause` is its error. - `write_failed`: a record may not
 * have reached the disk. A journal takes no more then; a worker in files keeps the record and writes it again. - `in_use`: another process,
 * or another journal of this one, has the file. - `cannot_open`: the file system refused. - `not_a_journal`, `unsupported_version`, `broken`: what is in the file cannot be used, and
 * was left as it is.
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

/** What a run failed with, as plain data. */
export interface RunFailure {
  readonly name: string
  readonly message: string
  /** That of the error, where it has one: `max_steps`, `budget_exceeded`, … */
  readonly code?: string | undefined
}

export interface DurableErrorOptions {
  readonly failure?: RunFailure | undefined
  readonly cause?: unknown
}

/** What an engine or a journal cannot do. Files are named without their folders. */
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

  /** For logs: what the error says, without its cause and its stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}
