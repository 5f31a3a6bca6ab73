export { ContractError } from './contract-error.ts'
export { IMAGE_RESULT } from './contract-requests.ts'
export type { DialectCheck, DialectContractOptions, DialectSample } from './dialect-check.ts'
export type { DialectCheckId } from './dialect-check-id.ts'
export { dialectContract } from './dialect-contract.ts'
export type {
  WireCheck,
  WireCheckId,
  WireContractOptions,
  WireSample,
  WireSampleCall,
  WireSampleFeature,
  WireSampleKind,
  WireSampleProviderCall,
} from './wire-check.ts'
export { wireContract } from './wire-contract.ts'
