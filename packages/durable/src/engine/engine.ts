/** What every engine does: it keeps runs going, whatever happens to the processes that execute them. Types only. */
import type { Steps } from '@x/react-agent/steps'
import type { DurableError, RunFailure } from '../errors.ts'

/** A run as its function sees it: what a run of an agent takes as options, so `agent.run(input, run)` is a run that an engine keeps. */
export interface DurableRun {
  readonly id: string
  readonly steps: Steps
  /** Fires when the run was cancelled, when it is another worker's, and when this one is closed. Steps that are under way may stop then. */
  readonly signal: AbortSignal
}

/**
 * What is executed. It is called again, from the beginning, after a crash and after each decision, and must then ask for the same steps;
 * what they gave is given again. A step that failed is executed again, or fails in the same words, as the engine has it. All that
 * has an effect or may come out differently is a step. Its output is plain data, as JSON has it.
 *
 * A run that rejects since something is not decided yet waits. With anything else that it rejects with it has failed for good.
 */
export type RunFunction<Input, Output> = (input: Input, run: DurableRun) => PromiseLike<Output>

/**
 * - `queued`: no worker has it yet. - `running`: a worker has it, or had it and was not missed yet.
 * - `waiting`: for decisions; `waitsFor` says which. - `finished`, `failed`, `cancelled`: it is over.
 */
export type RunState = 'queued' | 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'

/** Something that is to be decided. Plain data. */
export interface WaitsFor {
  /** That of `signal`. */
  readonly name: string
  /** What `wait` was given besides its key: of an agent, the call that needs a yes. */
  readonly about?: unknown
}

/** Plain data. */
export interface RunStatus<Input = unknown, Output = unknown> {
  readonly id: string
  readonly state: RunState
  readonly input: Input
  /** Empty unless it waits. */
  readonly waitsFor: readonly WaitsFor[]
  /** Of a run that has finished. */
  readonly output?: Output | undefined
  /** Of a run that has failed. */
  readonly failure?: RunFailure | undefined
  /** When it was started. ISO 8601. */
  readonly startedAt: string
}

/** What somebody who waits may want. */
export interface WaitOptions {
  /** Ends the waiting, with its reason; the run goes on. */
  readonly signal?: AbortSignal | undefined
}

export interface ListOptions {
  readonly state?: RunState | undefined
  /** Runs at most, the newest; 100 unless told. */
  readonly limit?: number | undefined
}

/** What every engine takes beside what it is about. */
export interface WatchOptions {
  /**
   * Told of what goes wrong beside the runs: records that cannot be kept or read for now and are tried again, a lock that was lost. What
   * it throws is left.
   */
  readonly onProblem?: ((problem: DurableError) => void) | undefined
}

/**
 * All methods reject with `closed` behind `close`, and with `engine_failed`, or an error of files, when the engine does not answer.
 * An engine with its function is a worker: it executes runs. Without one it starts, decides and looks, and
 * workers execute.
 */
export interface DurableEngine<Input, Output> extends AsyncDisposable {
  /** Starts the run unless that was done before, and gives its output once it is there. Rejects as `start` and `result` do. */
  run(id: string, input: Input, options?: WaitOptions): Promise<Output>
  /**
   * Resolves when the run will not be lost any more. Does nothing for one that was started before; rejects with `another_input` when
   * that had another input, with `invalid_id` or with `invalid_value`.
   */
  start(id: string, input: Input): Promise<void>
  /**
   * Waits for the end, for days if need be. Rejects with `run_failed`, `run_cancelled` or `unknown_run`, with `closed` when this
   * engine was closed before, and with the reason of the signal.
   */
  result(id: string, options?: WaitOptions): Promise<Output>
  /**
   * Decides what the run waits for, or will wait for, by `steps.wait(name)`; it goes on then. Of an agent's approval the name is that of
   * `waitsFor`, and the value a decision: true, false, or `{ type: 'edit', args }`. A decision stays: the same one may be given again
   * while the run is not over, and another rejects with `already_decided`. Of a run that is over each rejects with `run_ended`, the same
   * one too. Rejects with `unknown_run` or `invalid_value`. What was decided is not in
   * `waitsFor` any more once this has resolved, whether or not a worker has heard of it.
   */
  signal(id: string, name: string, value: unknown): Promise<void>
  /** Undefined when no run has this id. */
  status(id: string): Promise<RunStatus<Input, Output> | undefined>
  /** The newest first. Rejects with `invalid_options`. */
  list(options?: ListOptions): Promise<readonly RunStatus<Input, Output>[]>
  /**
   * Ends the run, from whatever process: it begins no further step. A step under way is not undone. Does nothing for a run that is
   * over; rejects with `unknown_run`.
   */
  cancel(id: string): Promise<void>
  /**
   * Begins no further step here, waits for those under way, and lets other workers have the runs; their signals fire when their steps have
   * ended. A step that never ends is waited for until its run is cancelled. A second call does nothing.
   */
  close(): Promise<void>
}
