/** The interface between the contract suite and an engine under test. */
import type { ChildProcess } from 'node:child_process'
import type { DurableEngine, RunFunction } from '../engine/engine.ts'

/** Maximum number of runs that a worker opened by the harness may execute at the same time. */
export const CONTRACT_CONCURRENCY = 40

export interface ContractHarness {
  /**
   * Opens the engine in this process, as a worker if `fn` is set. Engines share their runs if they have the same `store`. At most one
   * worker per process is open at a time. Limit a worker to `CONTRACT_CONCURRENCY` runs, if the engine has such a limit.
   */
  open<Input, Output>(store: string, fn?: RunFunction<Input, Output>): Promise<DurableEngine<Input, Output>>
  /** Starts a process that calls `runContractWorker(settings, …)`, with an IPC channel (`fork`). */
  startWorker(settings: string): ChildProcess
  /** Kills or stops the server that stores the records, and starts it again. Omit this if there is no server. */
  restartServer?(end: 'killed' | 'stopped'): Promise<void>
  /**
   * What happens to the runs of a process that is suspended but not killed. `taken over`: another process executes them. `waited for`: they
   * wait until the process resumes, as with a lock on one machine.
   */
  readonly stalled: 'taken over' | 'waited for'
  /** False if the engine keeps retrying a run that kills its workers, instead of giving it up. Default: true. */
  readonly givesUp?: boolean | undefined
  /** Uses fewer kills and fewer runs, for tests on every change. Default: false. */
  readonly quick?: boolean | undefined
  /** Called when a worker is suspended, for example to inform a load balancer. */
  onStalled?(worker: ChildProcess): void
}

export interface ContractCase {
  readonly name: string
  readonly timeoutMs: number
  /** Rejects if the engine violates the contract. Resolves with figures to report, if any. */
  run(): Promise<string | undefined>
}
