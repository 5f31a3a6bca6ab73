/** What the contract suite needs of an engine that is put to it. Types only. */
import type { ChildProcess } from 'node:child_process'
import type { DurableEngine, RunFunction } from '../engine/engine.ts'

export interface ContractHarness {
  /**
   * Opens the engine in this process; with `fn` as a worker. Engines of the same `store` have the same runs, those of another one have
   * none of them. At most one worker is open in a process.
   */
  open<Input, Output>(store: string, fn?: RunFunction<Input, Output>): Promise<DurableEngine<Input, Output>>
  /** Starts a process that calls `runContractWorker(settings, …)`, with a channel for messages (`fork`). */
  startWorker(settings: string): ChildProcess
  /** Ends the server that keeps the records, by a kill or in order, and starts it again. Left out where there is no server. */
  restartServer?(end: 'killed' | 'stopped'): Promise<void>
  /**
   * What becomes of the runs of a process that does not move any more and was not killed: another one takes them over, or they
   * wait until it moves, as with a lock on one machine.
   */
  readonly stalled: 'taken over' | 'waited for'
  /** Fewer kills and fewer runs, for tests on every change. Default: false. */
  readonly quick?: boolean | undefined
  /** Called when a worker does not move any more, where something like a load balancer has to be told. */
  onStalled?(worker: ChildProcess): void
}

export interface ContractCase {
  readonly name: string
  readonly timeoutMs: number
  /** Rejects when the engine does not keep the contract. Resolves to figures worth telling, if any. */
  run(): Promise<string | undefined>
}
