export type { AISDKModel, FromAISDKOptions } from './from/from-ai-sdk.ts'
export { fromAISDK } from './from/from-ai-sdk.ts'
export type { ToAISDKOptions } from './to/to-ai-sdk.ts'
export { toAISDK } from './to/to-ai-sdk.ts'
