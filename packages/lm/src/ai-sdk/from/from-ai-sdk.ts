/** Turns an AI SDK language model into an `LM`. */
import type { LM, LMDelta, LMOptions, LMRequest, LMResponse, Loss } from '@x/adapters'
import { LMError } from '../../errors.ts'
import { createLossReports } from '../../report-losses.ts'
import { untilAborted } from '../../until-aborted.ts'
import { toLMError } from '../errors.ts'
import { isOwnModel } from '../kept.ts'
import { readWarnings } from '../losses.ts'
import { arrayAt, fieldAt, type Json, memberAt } from '../read.ts'
import { toCallOptions } from './call-options.ts'
import { createToPrompt } from './prompt.ts'
import { ReplyReader } from './reply-reader.ts'
import { VERSIONS } from './versions.ts'

/**
 * The members of `LanguageModelV2`, `LanguageModelV3` and `LanguageModelV4` that `fromAISDK` uses. For example, `openai('gpt-5')`
 * from `@ai-sdk/openai` returns such a model.
 */
export interface AISDKModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4'
  readonly provider: string
  readonly modelId: string
  doGenerate(options: never): PromiseLike<unknown>
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream }>
}

export interface FromAISDKOptions {
  /**
   * Called for each part of a request that doesn't reach the model as intended. Reports the model's warnings, and data for which the AI SDK
   * has no field. Each loss is reported once per model, and a loss in a message once per message.
   */
  readonly onLoss?: ((loss: Loss) => void) | undefined
}

/**
 * Turns an AI SDK model into an `LM`. Both methods reject with `LMError` and never retry. Write a request's `providerOptions` as
 * for the AI SDK: one object per provider. Data that must be sent back to the provider is kept under `ai-sdk` in the metadata of
 * messages and calls. Throws `TypeError` if `model` isn't an AI SDK language model.
 */
export function fromAISDK(model: AISDKModel, { onLoss }: FromAISDKOptions = {}): Required<LM> {
  const version = VERSIONS.get(memberAt(model, 'specificationVersion'))
  if (version === undefined || typeof model.doGenerate !== 'function') throw new TypeError(refusal(model))
  const name = `${model.provider} (${model.modelId})`
  const toPrompt = createToPrompt(version)
  const loseFor = createLossReports(onLoss)
  const optionsFor = (request: LMRequest, signal: AbortSignal | undefined) =>
    ({
      ...toCallOptions(request, { version, toPrompt, lose: loseFor(request) }),
      ...(signal && { abortSignal: signal }),
    }) as never
  const isOwn = isOwnModel(model)
  const report = (result: unknown, request: LMRequest) => readWarnings(result).forEach(loseFor(request))

  async function generate(request: LMRequest, { signal }: LMOptions = {}): Promise<LMResponse> {
    const options = optionsFor(request, signal)
    try {
      signal?.throwIfAborted()
      const result = await untilAborted(Promise.resolve(model.doGenerate(options)), signal)
      report(result, request)
      const reader = new ReplyReader(request, isOwn)
      for (const part of arrayAt(result, 'content')) reader.push(part)
      reader.finish(result, false)
      return { ...reader.response(), raw: fieldAt(fieldAt(result, 'response'), 'body') ?? result }
    } catch (error) {
      throw toLMError(error, name, signal)
    }
  }

  async function* stream(request: LMRequest, { signal }: LMOptions = {}): AsyncGenerator<LMDelta> {
    const options = optionsFor(request, signal)
    try {
      signal?.throwIfAborted()
      const reader = new ReplyReader(request, isOwn)
      let ended = false
      const replyStream = await open(Promise.resolve(model.doStream(options)), signal)
      for await (const part of partsOf(replyStream, signal)) {
        if (ended) continue
        if (part.type === 'error') throw part.error
        if (part.type === 'stream-start') report(part, request)
        ended = part.type === 'finish'
        yield* part.type === 'finish' ? reader.finish(part, true) : reader.push(part)
      }
      if (!ended) throw new LMError('invalid_reply', `${name} ended the stream before the reply was complete.`)
    } catch (error) {
      throw toLMError(error, name, signal)
    }
  }

  // The model gets no identity for caching. Its names don't distinguish two addresses of one provider, or show middleware around
  // the model.
  return { generate, stream }
}

async function open(opening: Promise<{ readonly stream: ReadableStream }>, signal?: AbortSignal): Promise<ReadableStream> {
  try {
    return (await untilAborted(opening, signal)).stream
  } catch (error) {
    // A model may ignore the abort and open a stream later. Such a stream is cancelled without being read.
    if (signal?.aborted) opening.then(({ stream }) => stream.cancel()).catch(() => {})
    throw error
  }
}

/**
 * Yields the parts of a stream. Uses a reader, because streams aren't async-iterable in every runtime. If the consumer stops
 * early, the stream is cancelled.
 */
async function* partsOf(stream: ReadableStream, signal: AbortSignal | undefined): AsyncGenerator<Json> {
  const reader = stream.getReader()
  const read = () => untilAborted(reader.read(), signal)
  try {
    for (let next = await read(); !next.done; next = await read()) yield next.value as Json
  } finally {
    // Has no effect if the stream has ended or failed.
    reader.cancel().catch(() => {})
  }
}

function refusal(model: unknown): string {
  if (typeof model === 'string')
    return `fromAISDK: ${JSON.stringify(model)} is a model name, which only the AI SDK's gateway can resolve. Pass the model itself, e.g. openai('gpt-5') from @ai-sdk/openai, or gateway(${JSON.stringify(model)}) from @ai-sdk/gateway.`
  const version = memberAt(model, 'specificationVersion')
  return `fromAISDK: model must be a language model of the AI SDK with specificationVersion v2, v3 or v4, got ${JSON.stringify(version)}. Pass e.g. openai('gpt-5') from @ai-sdk/openai.`
}
