import type { EmbeddingModelV3, LanguageModelV2, LanguageModelV3 } from '@ai-sdk/provider'
import type { LM, LMDelta, LMResponse } from '@x/adapters'
import { type AISDKModel, fromAISDK, toAISDK } from './index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

declare const v2: LanguageModelV2
declare const v3: LanguageModelV3
declare const embedding: EmbeddingModelV3
declare const lm: LM

// fromAISDK accepts every version and returns an LM.
expectType<Equal<ReturnType<typeof fromAISDK>, Required<LM>>>()
void fromAISDK(v2)
void fromAISDK(v3, { onLoss: ({ path, action }) => void `${path} ${action}` })
interface LanguageModelV4 {
  readonly specificationVersion: 'v4'
  readonly provider: string
  readonly modelId: string
  doGenerate(options: { prompt: readonly object[]; reasoning?: 'low' | 'high' }): PromiseLike<{ content: readonly object[] }>
  doStream(options: { prompt: readonly object[] }): PromiseLike<{ stream: ReadableStream<object> }>
}
declare const v4: LanguageModelV4
void fromAISDK(v4)
const model: AISDKModel = v3
void model

// @ts-expect-error This is the name of a model, which only a gateway can resolve.
fromAISDK('openai/gpt-5')
// @ts-expect-error This is a model for embeddings.
fromAISDK(embedding)

// toAISDK accepts an LM and returns an AI SDK model.
expectType<Equal<ReturnType<typeof toAISDK>, LanguageModelV3>>()
void toAISDK(lm, { provider: 'acme', modelId: 'm' })
// @ts-expect-error A model of the AI SDK is not an LM.
toAISDK(v3)

// A model can be converted in both directions.
const back = fromAISDK(toAISDK(lm))
expectType<Equal<ReturnType<typeof back.generate>, Promise<LMResponse>>>()
expectType<Equal<ReturnType<typeof back.stream>, AsyncIterable<LMDelta>>>()
