/** What every engine does: it keeps runs going, whatever happens to the processes that execute them. Types only. */
import type { Steps } from '@x/react-agent/steps'
import type { RunFailure } from './errors.ts'

/** A run as its function sees it; the options of a run of an agent, so `(input, run) => agent.run(input, run)` is all that is needed. */
export interface DurableRun {
  readonly id: string
  readonly steps: Steps
  /** Fires when the run was cancelled, and when it is another worker's. Steps that are under way may stop then. */
  readonly signal: AbortSignal
}

/**
 * What is executed. It is called again, from the beginning, after a crash and after each decision, and must then ask for the same steps;
 * what they gave is given again. All that has an effect or may come out differently is a step.
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

export interface ListOptions {
  readonly state?: RunState | undefined
  /** Runs at most, the newest; 100 unless told. */
  readonly limit?: number | undefined
}

/** An engine with its function is a worker: it executes runs. Without one it starts, decides and looks, and workers execute. */
export interface DurableEngine<Input, Output> extends AsyncDisposable {
  /** Starts the run unless that was done before, and gives its output once it is there. Rejects as `start` and `result` do. */
  run(id: string, input: Input): Promise<Output>
  /**
   * Resolves when the run will not be lost any more. Does nothing for one that was started before; rejects with `another_input` when
   * that had another input, with `invalid_id` or with `invalid_value`.
   */
  start(id: string, input: Input): Promise<void>
  /**
   * Waits for the end, for days if need be. Rejects with `run_failed`, `run_cancelled` or `unknown_run`, and with `closed` when this
   * engine was closed before.
   */
  result(id: string): Promise<Output>
  /**
   * Decides what the run waits for, or will wait for, by `steps.wait(name)`; it goes on then. Of an agent's approval the name is that of
   * `waitsFor`, and the value a decision: true, false, or `{ type: 'edit', args }`. A decision stays: the same one may be given again,
   * and another rejects with `already_decided`. Rejects with `unknown_run`, `run_ended` or `invalid_value`.
   */
  signal(id: string, name: string, value: unknown): Promise<void>
  /** Undefined when no run has this id. */
  status(id: string): Promise<RunStatus<Input, Output> | undefined>
  /** The newest first. */
  list(options?: ListOptions): Promise<readonly RunStatus<Input, Output>[]>
  /** Ends the run: it begins no further step. A step under way is not undone. Does nothing for a run that is over. */
  cancel(id: string): Promise<void>
  /** Begins no further step here, waits for those under way, and lets other workers have the runs. A second call does nothing. */
  close(): Promise<void>
}
