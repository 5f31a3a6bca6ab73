import { createOpenAI } from '@ai-sdk/openai'
import type { LM } from '@x/adapters'
import type { EncodeOptions } from '@x/adapters/wire'
import { type FromAISDKOptions, fromAISDK, toAISDK } from '@x/lm/ai-sdk'
import type { LanguageModel } from 'ai'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

declare const lm: LM
const openai = createOpenAI()

// Models of the providers go in, and ours go where the AI SDK takes a model.
void fromAISDK(openai('gpt-5'))
void fromAISDK(openai.chat('gpt-5'))
const model: LanguageModel = toAISDK(lm)
void model

// `ai` takes names of models too, which only its gateway knows.
declare const anyModel: LanguageModel
// @ts-expect-error it may be a name
fromAISDK(anyModel)

// Losses are those of the wire formats.
expectType<Equal<FromAISDKOptions['onLoss'], EncodeOptions['onLoss']>>()
