/** The interface between the contract suite and an engine under test. */
import type { ChildProcess } from 'node:child_process'
import type { DurableEngine, RunFunction } from '../engine/engine.ts'

/** Maximum number of runs that a worker of the suite executes at the same time. */
export const CONTRACT_CONCURRENCY = 40

export interface ContractHarness {
  /**
   * Opens the engine in this process, as a worker if `fn` is set. Engines with the same `store` share their runs. At most one
   * worker per process is open at a time. If the engine limits its concurrency, set the limit to `CONTRACT_CONCURRENCY`.
   */
  open<Input, Output>(store: string, fn?: RunFunction<Input, Output>): Promise<DurableEngine<Input, Output>>
  /** Like `open`, for a worker that removes runs `retentionMs` after their end. Omit this for an engine without retention. */
  openRetaining?<Input, Output>(
    store: string,
    fn: RunFunction<Input, Output>,
    retentionMs: number,
  ): Promise<DurableEngine<Input, Output>>
  /** Starts a process that calls `runContractWorker(settings, …)` and has an IPC channel, for example with `fork`. */
  startWorker(settings: string): ChildProcess
  /** Kills or stops the server that stores the records, and starts it again. Omit this for an engine without a server. */
  restartServer?(end: 'killed' | 'stopped'): Promise<void>
  /**
   * What happens to the runs of a suspended process. `taken over`: another process executes them. `waited for`: they wait until
   * the process resumes, as with a file lock on one machine.
   */
  readonly stalled: 'taken over' | 'waited for'
  /** State of a run that has killed its workers too often. Default: `failed`. */
  readonly givenUp?: 'failed' | 'held' | undefined
  /** Reduces the number of runs and kills, for tests that run on every change. Default: false. */
  readonly quick?: boolean | undefined
  /** Called when a worker is suspended, for example to inform a load balancer. */
  onStalled?(worker: ChildProcess): void
}

export interface ContractCase {
  readonly name: string
  readonly timeoutMs: number
  /** Rejects if the engine violates the contract. Resolves to figures to report, if any. */
  run(): Promise<string | undefined>
}
