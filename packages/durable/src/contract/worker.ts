/** The program that each worker process of the suite runs. */
import type { DurableEngine, RunFunction } from '../engine/engine.ts'
import { type ContractFunctions, type ContractInput, contractFunctions } from './functions.ts'
import { ContractWorld, type WorkerSettings } from './world.ts'

export interface ContractWorkerOptions {
  /** Opens the engine as a worker, like `open` of the harness. */
  open(store: string, fn: RunFunction<ContractInput, string>): Promise<DurableEngine<ContractInput, string>>
  readonly functions?: ContractFunctions | undefined
}

/**
 * Opens the engine, sends `ready` to the parent process, and executes runs until it is killed or the parent has ended. `settings`
 * is the string that was passed to `startWorker`.
 */
export async function runContractWorker(settings: string, options: ContractWorkerOptions): Promise<void> {
  const { open, functions = contractFunctions } = options
  const parsed = JSON.parse(settings) as WorkerSettings
  const create = functions[parsed.functionName]
  if (create === undefined) throw new Error(`The contract has no function "${parsed.functionName}".`)
  const engine = await open(parsed.store, create(new ContractWorld(parsed)))
  process.on('disconnect', () => void engine.close().then(() => process.exit(0)))
  // The IPC channel must not keep the process alive; only the engine may.
  process.channel?.unref()
  process.send?.('ready')
}
