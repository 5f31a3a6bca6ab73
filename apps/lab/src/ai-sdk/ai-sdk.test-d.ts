import { createOpenAI } from '@ai-sdk/openai'
import type { LM } from '@x/adapters'
import type { EncodeOptions } from '@x/adapters/wire'
import { type FromAISDKOptions, fromAISDK, toAISDK } from '@x/lm/ai-sdk'
import type { LanguageModel } from 'ai'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

declare const lm: LM
const openai = createOpenAI()

// `fromAISDK` accepts provider models, and our models can be passed wherever the AI SDK expects a model.
void fromAISDK(openai('gpt-5'))
void fromAISDK(openai.chat('gpt-5'))
const model: LanguageModel = toAISDK(lm)
void model

// `ai` also accepts model names, which only its gateway can resolve.
declare const anyModel: LanguageModel
// @ts-expect-error it may be a name
fromAISDK(anyModel)

// `fromAISDK` reports the same losses as the wire formats.
expectType<Equal<FromAISDKOptions['onLoss'], EncodeOptions['onLoss']>>()
