/** The error class of this package. */

/**
 * The `code` of a `DurableError`, meant for the programmer.
 *
 * Misuse:
 * - `invalid_options`: an option of an engine, of `list` or of `cancelAll` is invalid or unknown. Fix: pass what the message asks for.
 * - `invalid_id`: a run id is invalid. Fix: use 1 to 200 letters, digits and `. _ : -`, but not `.` or `..`.
 * - `missing_package`: a package that the engine needs isn't installed. Fix: run the command in the message.
 * - `unknown_run`: no run has this id. Fix: start it first, with the same folder, database or server.
 * - `another_input`: the run with this id was started with a different input. Fix: use a unique id for each run.
 * - `closed`: the engine or the journal is closed, or the function of the run has ended. Fix: open another one, and await all branches
 *   before the function ends.
 *
 * Runs:
 * - `run_failed`: the function of the run threw or rejected. Fix: see `failure`, and `cause` if the error occurred in this process.
 * - `worker_crashed`: the worker of the run died too many times in a row while executing it. Fix: find out what ends the process, then
 *   resume the run with `retry`.
 * - `run_held`: the recorded steps don't match the worker's current code. The run is held: no worker executes it until `retry`.
 *   Reported by `onProblem`. Fix: deploy code that matches the records, such as the version that started the run, then call `retry`.
 * - `steps_mismatch`: the worker's current code requests other steps or decisions than those that are recorded. The run is held: no
 *   worker executes it until `retry`. Fix: deploy code that matches the records, such as the version that started the run, then call
 *   `retry`.
 * - `run_cancelled`: the run was cancelled. Fix: start another run with a new id.
 * - `run_ended`: the run has ended and accepts no decisions. Fix: get its result with `result`.
 * - `not_ended`: the run hasn't ended, so it can't be removed. Fix: cancel it first.
 * - `already_decided`: a different decision for this name exists. Fix: keep that decision, or wait for another name.
 * - `invalid_value`: a step result, input, output or decision is not plain data, or is too large. It was not recorded. Fix: return plain
 *   JSON; store large data elsewhere and record a reference to it.
 * - `key_in_use`: a step with this key is running, or a record with this key is being written: a step or a decision of the journal.
 *   Fix: use a unique key for each step and decision, and one journal per run.
 * - `lost`: another worker took over the run, because this one didn't respond. This worker records nothing more. Fix: get the result with
 *   `result`; don't block the event loop.
 *
 * Storage:
 * - `no_worker`: runs of an application version have been queued for longer than `leaseMs`, and no worker of that version takes them.
 *   Reported by `onProblem`. Fix: start workers of that version, or more of them.
 * - `stalled`: the worker hasn't looked for runs for a long time, or has lost its connection. Reported by `health`. Fix: restart the
 *   process if this lasts.
 * - `engine_failed`: the server didn't answer, or returned an error. Fix: see its error in `cause`, and check that the server is running.
 * - `cannot_load`: a run needs a module whose file the worker can't open, because its process has no free file descriptors. The run is left
 *   to another worker, and this one tries it again later. Reported by `onProblem`. Fix: raise the limit of open files. If the problem
 *   remains, restart the worker.
 * - `write_failed`: the disk is full, or a record may not have reached it. A journal then accepts no more records; a file worker keeps the
 *   record and retries. Fix: free disk space or repair the disk, then open the journal again.
 * - `in_use`: another process, or another journal in this process, has the file open. Reported by `onProblem` if that is a worker in another
 *   container that may have died. Fix: close the file there; the message names the process. If it is dead, delete the lock file.
 * - `cannot_open`: the file system refused access. Fix: create the folder, and allow the process to read and write it.
 * - `not_a_journal`: the file isn't a journal and was left unchanged. Fix: use another path.
 * - `unsupported_version`: another release wrote the journal, which was left unchanged. Fix: finish its run with that release.
 * - `broken`: the file was damaged after it was written, and was left unchanged. Fix: check manually which steps took effect.
 */
export type DurableErrorCode =
  | 'invalid_options'
  | 'invalid_id'
  | 'missing_package'
  | 'unknown_run'
  | 'another_input'
  | 'closed'
  | 'run_failed'
  | 'worker_crashed'
  | 'run_held'
  | 'steps_mismatch'
  | 'run_cancelled'
  | 'run_ended'
  | 'not_ended'
  | 'already_decided'
  | 'invalid_value'
  | 'key_in_use'
  | 'lost'
  | 'no_worker'
  | 'stalled'
  | 'engine_failed'
  | 'cannot_load'
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
  /** The error's code, if it has one, such as `max_steps` or `budget_exceeded`. */
  readonly code?: string | undefined
}

export interface DurableErrorOptions {
  readonly failure?: RunFailure | undefined
  readonly cause?: unknown
}

/** Thrown by engines and journals. Messages contain file names without their folders. */
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

  /** Returns the code and the message, without the cause and the stack, for logs. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}
