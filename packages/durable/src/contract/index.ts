/** The contract suite: cases that every engine must pass. Works with any test runner. */

export type { ContractFunctions, ContractInput } from './functions.ts'
export { contractFunctions, FIVE_STEPS } from './functions.ts'
export type { ContractCase, ContractHarness } from './harness.ts'
export { CONTRACT_CONCURRENCY } from './harness.ts'
export { contractCases } from './suite.ts'
export type { ContractWorkerOptions } from './worker.ts'
export { runContractWorker } from './worker.ts'
export type { ContractWorld } from './world.ts'
