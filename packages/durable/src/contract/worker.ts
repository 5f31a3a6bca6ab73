/** The worker processes of the suite. */
import type { DurableEngine, RunFunction } from '../engine/engine.ts'
import { type ContractFunctions, type ContractInput, contractFunctions } from './functions.ts'
import { ContractWorld, type WorkerSettings } from './world.ts'

export interface ContractWorkerOptions {
  /** As in the harness. */
  open(store: string, fn: RunFunction<ContractInput, string>): Promise<DurableEngine<ContractInput, string>>
  readonly functions?: ContractFunctions | undefined
}

/**
 * What the program of a worker process does: opens the engine, says `ready`, and executes runs until it is killed, or its parent is
 * gone. `settings` are what `startWorker` was given.
 */
export async function runContractWorker(settings: string, options: ContractWorkerOptions): Promise<void> {
  const { open, functions = contractFunctions } = options
  const parsed = JSON.parse(settings) as WorkerSettings
  const engine = await open(parsed.store, functions[parsed.functionName](new ContractWorld(parsed)))
  process.on('disconnect', () => void engine.close().then(() => process.exit(0)))
  // It stays by the engine alone.
  process.channel?.unref()
  process.send?.('ready')
}
