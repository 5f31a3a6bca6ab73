/** Uses of `@x/lm/ai-sdk` with version 4 of `@ai-sdk/provider`. */
import type { EmbeddingModelV4, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import { fromAISDK, toAISDK } from '@x/lm/ai-sdk'

declare const models: { readonly v3: LanguageModelV3; readonly v4: LanguageModelV4; readonly embedding: EmbeddingModelV4 }
export const ours = [fromAISDK(models.v3), fromAISDK(models.v4)] as const
export const theirs: LanguageModelV3 = toAISDK(ours[0])
// @ts-expect-error an embedding model
fromAISDK(models.embedding)
// @ts-expect-error a model of the AI SDK isn't one of ours
toAISDK(models.v3)
