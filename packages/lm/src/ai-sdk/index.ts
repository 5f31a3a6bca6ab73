export type { AISDKModel, FromAISDKOptions } from './from-ai-sdk.ts'
export { fromAISDK } from './from-ai-sdk.ts'
export type { ToAISDKOptions } from './to-ai-sdk.ts'
export { toAISDK } from './to-ai-sdk.ts'
