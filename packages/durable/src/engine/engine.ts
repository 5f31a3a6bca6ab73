/** The interface of all engines. An engine executes runs to the end, even if worker processes die. Types only. */
import type { Steps } from '@x/react-agent/steps'
import type { DurableError, RunFailure } from '../errors.ts'

/** The run, as passed to its function. To make an agent durable, pass it as the agent's run options: `agent.run(input, run)`. */
export interface DurableRun {
  readonly id: string
  readonly steps: Steps
  /**
   * Aborted when the run is cancelled and when another worker takes it over; steps that are running may then stop. When this worker is
   * closed, the signal is aborted after the running steps have been recorded.
   */
  readonly signal: AbortSignal
}

/**
 * The function of a run. It is called again from the start after a crash and after each decision. Each time, it must request the
 * same steps. A recorded step returns its recorded result. A failed step is executed again or fails with the recorded error,
 * depending on the engine. Everything that has an effect or isn't deterministic must be a step. The output must be plain JSON
 * data.
 *
 * If the function rejects because a decision is missing, the run waits. If the error or one of its causes is `agent_changed` or
 * `steps_mismatch`, the run is held. If a module couldn't be opened because the process has no free file descriptors, the run is left
 * to another worker, or to this one later. Any other error makes the run fail.
 */
export type RunFunction<Input, Output> = (input: Input, run: DurableRun) => PromiseLike<Output>

/**
 * - `queued`: the run is ready, but no worker has taken it yet.
 * - `running`: a worker is executing it, or has died and its death hasn't been detected yet.
 * - `waiting`: it needs the decisions in `waitsFor`.
 * - `held`: its records don't fit the program of the worker that executed it, or its workers died too often (on Restate); see `failure`.
 *   `retry` continues it.
 * - `finished`, `failed`, `cancelled`: it has ended.
 */
export type RunState = 'queued' | 'running' | 'waiting' | 'held' | 'finished' | 'failed' | 'cancelled'

/** A decision that a run is waiting for. Plain data. */
export interface WaitsFor {
  /** The name to pass to `signal`. */
  readonly name: string
  /** The second argument of `wait`. For an agent, the call that requires approval. */
  readonly about?: unknown
}

/** The status of a run. Plain data. */
export interface RunStatus<Input = unknown, Output = unknown> {
  readonly id: string
  readonly state: RunState
  readonly input: Input
  /** Pending decisions. Empty unless the run is waiting. */
  readonly waitsFor: readonly WaitsFor[]
  /** The output of a finished run. */
  readonly output?: Output | undefined
  /** The error of a failed run, or the reason why the run is held. */
  readonly failure?: RunFailure | undefined
  /** Start time in ISO 8601. */
  readonly startedAt: string
  /** On DBOS, the version of the workers that execute the run. Absent until a worker takes a run that was started without a version. */
  readonly version?: string | undefined
  /** On DBOS, how many times in a row the worker of a queued or running run has died since its last record. Absent if it hasn't. */
  readonly crashes?: number | undefined
}

/** Whether an engine can do its work. */
export interface EngineHealth {
  readonly ok: boolean
  /**
   * Why it can't. The code is `closed` if the engine is closed or being closed, and `stalled` if the worker no longer looks for
   * runs. Any other error is that of the storage. If `ok` is true, a problem outside of this engine: with files, a worker in another
   * container may have died (`in_use`).
   */
  readonly problem?: DurableError | undefined
}

/** Counts the runs that haven't ended, over all workers. Plain data. */
export interface EngineStats {
  readonly queued: number
  readonly running: number
  readonly waiting: number
  readonly held: number
  /** How long the oldest queued run has been ready, in milliseconds. 0 if no run is queued. */
  readonly oldestQueuedMs: number
  /** On DBOS, queued and running runs whose worker has died since their last record. `list({ crashing: true })` returns them. */
  readonly crashing?: number | undefined
}

/** Options for methods that wait for a run. */
export interface WaitOptions {
  /** Stops the wait when it is aborted: the method then rejects with the signal's reason. The run itself continues. */
  readonly signal?: AbortSignal | undefined
}

/** A position in a list of runs. You can pass the status of a run. */
export interface ListPosition {
  readonly id: string
  readonly startedAt: string
}

/** Selects runs, to list or to cancel. A run must meet all conditions. */
export interface RunFilter {
  readonly state?: RunState | undefined
  /** Only runs that started at this time or later, in ISO 8601. */
  readonly startedFrom?: string | undefined
  /** Only runs that started before this time, in ISO 8601. */
  readonly startedBefore?: string | undefined
  /** Only runs that wait for the decision with this name. */
  readonly waitsFor?: string | undefined
  /** Only runs of this version, as in their status. Rejects with `invalid_options` on engines whose runs have no version. */
  readonly version?: string | undefined
  /** Only runs that have `crashes`, or only others. Rejects with `invalid_options` on engines that don't count them. */
  readonly crashing?: boolean | undefined
}

/** Selects the runs to list. */
export interface ListOptions extends RunFilter {
  /** Maximum number of runs, newest first. Default: 100. */
  readonly limit?: number | undefined
  /**
   * Lists only runs after this one, for the next page. Pass the last run of the previous page, even if it has ended or been
   * deleted since.
   */
  readonly after?: ListPosition | undefined
}

/** Options of engines that can give up runs. */
export interface CrashOptions {
  /**
   * Number of times in a row that a run's worker may die without a new record in between. Then the run fails with
   * `worker_crashed`; on Restate, it is held. From the second time on, the engine waits longer before each attempt. At least 1, on
   * Restate at least 3. Default: 5.
   */
  readonly maxCrashes?: number | undefined
}

/** Options of engines whose workers remove ended runs. */
export interface RetentionOptions {
  /**
   * How long an ended run is kept, in milliseconds. Workers then remove it as `remove` does, within about a minute. Must be longer
   * than callers take to read the result. Default: ended runs are kept.
   */
  readonly retentionMs?: number | undefined
}

/** Options that all engines share. */
export interface WatchOptions {
  /**
   * Called for problems outside of runs, for example a lost lock, or a record that can't be written and is retried. Errors that
   * it throws are ignored.
   */
  readonly onProblem?: ((problem: DurableError) => void) | undefined
}

/**
 * An engine for durable runs. With a run function, it is a worker and executes runs. Without one, it is a client: it starts,
 * cancels and reads runs, and sends decisions.
 *
 * All methods reject with `closed` after `close`, and with `engine_failed` or a file error if the storage doesn't respond.
 */
export interface DurableEngine<Input, Output> extends AsyncDisposable {
  /** Starts the run if it doesn't exist, and resolves to its output. Rejects like `start` and `result`. */
  run(id: string, input: Input, options?: WaitOptions): Promise<Output>
  /**
   * Starts a run. Resolves once it is stored durably. Has no effect if a run with this id and input exists. Rejects with
   * `another_input` if the existing run has a different input, and with `invalid_id` or `invalid_value`.
   */
  start(id: string, input: Input): Promise<void>
  /**
   * Resolves to the run's output when it has finished, which may take days. Rejects with `run_failed`, `run_cancelled` or
   * `unknown_run`, with `closed` if this engine is closed first, and with the signal's reason.
   */
  result(id: string, options?: WaitOptions): Promise<Output>
  /**
   * Sends a decision to a run that waits, or will wait, with `steps.wait(name)`. The run then continues. To approve an agent's
   * call, use the name in `waitsFor`. The value is true, false, or `{ type: 'edit', args }`.
   *
   * The first decision for a name is final. You may send the same decision again; a different one rejects with `already_decided`.
   * Once the run has ended, every decision rejects with `run_ended`. Also rejects with `unknown_run` and `invalid_value`. Once
   * this resolves, the decision is no longer in `waitsFor`, even if no worker has received it yet.
   */
  signal(id: string, name: string, value: unknown): Promise<void>
  /** Resolves to the status of a run, or to undefined for an unknown id. */
  status(id: string): Promise<RunStatus<Input, Output> | undefined>
  /**
   * Lists runs, newest first. Runs that started at the same time are sorted by id, in descending order. Rejects with
   * `invalid_options`.
   */
  list(options?: ListOptions): Promise<readonly RunStatus<Input, Output>[]>
  /**
   * Checks that the storage answers and, on a worker, that it still looks for runs. For a health endpoint: never rejects, and
   * resolves within five seconds.
   */
  health(): Promise<EngineHealth>
  /** Counts the runs that haven't ended, for metrics. */
  stats(): Promise<EngineStats>
  /**
   * Cancels a run, from any process. No more steps start, but a running step isn't undone. Has no effect on a run that has ended.
   * Rejects with `unknown_run`.
   */
  cancel(id: string): Promise<void>
  /**
   * Resumes a run that is held or has failed with `worker_crashed`, from its recorded steps. Has no effect on other runs that haven't
   * ended. Rejects with `unknown_run`, and with `run_ended` for a run that has ended in any other way.
   */
  retry(id: string): Promise<void>
  /**
   * Deletes an ended run with its input, steps and output. Its id is free again. Has no effect if no run has this id. Rejects with
   * `not_ended`.
   */
  remove(id: string): Promise<void>
  /**
   * Closes the engine: starts no more steps, waits for running ones, and releases the runs to other workers. A run's signal is
   * aborted once its steps have ended. A step that never ends blocks `close` until its run is cancelled. A second call has no
   * effect.
   */
  close(): Promise<void>
}
