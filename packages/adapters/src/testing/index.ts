export { ContractError } from './contract-error.ts'
export type { WireCheck, WireCheckId, WireContractOptions, WireSample } from './wire-check.ts'
export { wireContract } from './wire-contract.ts'
