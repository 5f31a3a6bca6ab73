/** The contract for all engines. An engine executes runs to the end, even if worker processes die. Types only. */
import type { Steps } from '@x/react-agent/steps'
import type { DurableError, RunFailure } from '../errors.ts'

/** The run, as its function receives it. To make an agent durable, pass it as the agent's run options: `agent.run(input, run)`. */
export interface DurableRun {
  readonly id: string
  readonly steps: Steps
  /** Aborted when the run is cancelled or taken over by another worker, and when this worker is closed. Running steps may then stop. */
  readonly signal: AbortSignal
}

/**
 * The function of a run. After a crash and after each decision, it is called again from the beginning and must request the same steps.
 * Recorded steps return their recorded results. A failed step is executed again or fails with the recorded error, depending on the engine.
 * Everything that has an effect or is not deterministic must be a step. The output must be plain JSON data.
 *
 * If the function rejects because a decision is missing, the run waits. If it rejects with `agent_changed` or `steps_mismatch`, or with an
 * error that has one of them as a cause, the run is held. If it rejects with any other error, the run fails.
 */
export type RunFunction<Input, Output> = (input: Input, run: DurableRun) => PromiseLike<Output>

/**
 * - `queued`: the run is ready, but no worker has picked it up.
 * - `running`: a worker is executing it, or died while executing it and hasn't been found dead yet.
 * - `waiting`: it needs decisions, listed in `waitsFor`.
 * - `held`: its records don't fit the program of the worker that executed it, for the reason in `failure`. `retry` continues it.
 * - `finished`, `failed`, `cancelled`: it has ended.
 */
export type RunState = 'queued' | 'running' | 'waiting' | 'held' | 'finished' | 'failed' | 'cancelled'

/** A decision that the run is waiting for. Plain data. */
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
  /** Empty unless the run is waiting. */
  readonly waitsFor: readonly WaitsFor[]
  /** The output of a finished run. */
  readonly output?: Output | undefined
  /** The error of a failed run, or the reason why a run is held. */
  readonly failure?: RunFailure | undefined
  /** Start time in ISO 8601. */
  readonly startedAt: string
  /** On DBOS, the version of the workers that execute the run. Absent until a worker takes a run that was started without a version. */
  readonly version?: string | undefined
}

/** Options for methods that wait for a run. */
export interface WaitOptions {
  /** When aborted, stops the wait, which rejects with the signal's reason. The run continues. */
  readonly signal?: AbortSignal | undefined
}

/** A position in the list of runs. The status of a run can be used as its position. */
export interface ListPosition {
  readonly id: string
  readonly startedAt: string
}

/** Which runs to list. All conditions must hold. */
export interface ListOptions {
  readonly state?: RunState | undefined
  /** Lists only runs that started at this time or later, in ISO 8601. */
  readonly startedFrom?: string | undefined
  /** Lists only runs that started before this time, in ISO 8601. */
  readonly startedBefore?: string | undefined
  /** Lists only runs that wait for the decision with this name. */
  readonly waitsFor?: string | undefined
  /** Lists only runs of this version, as in their status. Rejects with `invalid_options` on engines whose runs have no version. */
  readonly version?: string | undefined
  /** Maximum number of runs, newest first. Default: 100. */
  readonly limit?: number | undefined
  /** Lists only runs that come after this one, which may have ended or been deleted. For the next page, pass the last run of a page. */
  readonly after?: ListPosition | undefined
}

/** Options of engines that can give up a run. */
export interface CrashOptions {
  /**
   * A run fails with `worker_crashed` when its worker has died this many times in a row while executing it, without a new record in between.
   * From the second time on, the engine waits longer before each attempt. Default: 5.
   */
  readonly maxCrashes?: number | undefined
}

/** Options that all engines share. */
export interface WatchOptions {
  /**
   * Called for problems outside of runs, such as a lost lock, or a record that can't be written or read and is retried. Errors that the
   * callback throws are ignored.
   */
  readonly onProblem?: ((problem: DurableError) => void) | undefined
}

/**
 * An engine for durable runs. With a run function, the engine is a worker and executes runs. Without one, it is a client: it starts,
 * cancels and reads runs, and submits decisions.
 *
 * All methods reject with `closed` after `close`, and with `engine_failed` or a file error when the storage doesn't respond.
 */
export interface DurableEngine<Input, Output> extends AsyncDisposable {
  /** Starts the run if it doesn't exist, and resolves with its output. Rejects like `start` and `result`. */
  run(id: string, input: Input, options?: WaitOptions): Promise<Output>
  /**
   * Resolves once the run is stored durably. Does nothing if a run with this id and input exists. Rejects with `another_input` if the run
   * exists with a different input, and with `invalid_id` or `invalid_value`.
   */
  start(id: string, input: Input): Promise<void>
  /**
   * Waits until the run has ended, for days if necessary. Rejects with `run_failed`, `run_cancelled` or `unknown_run`, with `closed` if
   * this engine is closed first, or with the signal's reason.
   */
  result(id: string, options?: WaitOptions): Promise<Output>
  /**
   * Records a decision that the run is waiting for, or will wait for, with `steps.wait(name)`. The run then continues. For an agent's
   * approval, use the name in `waitsFor` and a decision as the value: true, false, or `{ type: 'edit', args }`.
   *
   * The first decision for a name is final. Repeating it is allowed; a different one rejects with `already_decided`. Once the run has
   * ended, every decision rejects with `run_ended`. Also rejects with `unknown_run` and `invalid_value`. Once this resolves, the decision
   * is no longer in `waitsFor`, even if no worker has received it yet.
   */
  signal(id: string, name: string, value: unknown): Promise<void>
  /** Resolves with undefined for an unknown id. */
  status(id: string): Promise<RunStatus<Input, Output> | undefined>
  /** Lists runs, newest first. Runs that started at the same time are sorted by id, descending. Rejects with `invalid_options`. */
  list(options?: ListOptions): Promise<readonly RunStatus<Input, Output>[]>
  /**
   * Cancels the run from any process: no more steps start. A running step isn't undone. Does nothing for a run that has ended. Rejects with
   * `unknown_run`.
   */
  cancel(id: string): Promise<void>
  /**
   * Resumes a run that is held or failed with `worker_crashed`, from its recorded steps. Does nothing for any other run that hasn't ended.
   * Rejects with `unknown_run`, and with `run_ended` for a run that has ended in any other way.
   */
  retry(id: string): Promise<void>
  /**
   * Starts no more steps, waits for running ones, and releases the runs to other workers. The signal of each run is aborted once its steps
   * have ended. A step that never ends blocks `close` until its run is cancelled. A second call does nothing.
   */
  close(): Promise<void>
}
