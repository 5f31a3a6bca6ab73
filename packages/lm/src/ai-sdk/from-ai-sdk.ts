/** A language model of the AI SDK as one of ours. */
import type { LM, LMDelta, LMOptions, LMRequest, LMResponse, Loss } from '@x/adapters'
import { LMError } from '../errors.ts'
import { untilAborted } from '../until-aborted.ts'
import { toCallOptions } from './call-options.ts'
import { toLMError } from './errors.ts'
import { isOwnModel } from './kept.ts'
import { readWarnings } from './losses.ts'
import { createToPrompt } from './prompt.ts'
import { arrayAt, fieldAt, type Json, memberAt } from './read.ts'
import { ReplyReader } from './reply-reader.ts'
import { VERSIONS } from './versions.ts'

/** What is called of a `LanguageModelV2`, `LanguageModelV3` or `LanguageModelV4`, such as `openai('gpt-5')` of `@ai-sdk/openai`. */
export interface AISDKModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4'
  readonly provider: string
  readonly modelId: string
  doGenerate(options: never): PromiseLike<unknown>
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream }>
}

export interface FromAISDKOptions {
  /** Is told of everything in a request that the model did not get as it was meant: its warnings, and what has no place. */
  readonly onLoss?: ((loss: Loss) => void) | undefined
}

/**
 * Both methods reject with `LMError`; nothing is repeated. `providerOptions` of a request are those of the AI SDK, an object for each
 * provider. What the provider wants back is kept in the metadata of messages and calls under `ai-sdk`. Throws for a model that is none.
 */
export function fromAISDK(model: AISDKModel, { onLoss }: FromAISDKOptions = {}): Required<LM> {
  const version = VERSIONS.get(memberAt(model, 'specificationVersion'))
  if (version === undefined || typeof model.doGenerate !== 'function') throw new TypeError(refusal(model))
  const name = `${model.provider} (${model.modelId})`
  const context = { version, toPrompt: createToPrompt(version), lose: (loss: Loss) => onLoss?.(loss) }
  const optionsFor = (request: LMRequest, signal: AbortSignal | undefined) =>
    ({ ...toCallOptions(request, context), ...(signal && { abortSignal: signal }) }) as never
  const isOwn = isOwnModel(model)
  const report = (result: unknown) => readWarnings(result).forEach(context.lose)

  async function generate(request: LMRequest, { signal }: LMOptions = {}): Promise<LMResponse> {
    const options = optionsFor(request, signal)
    try {
      signal?.throwIfAborted()
      const result = await untilAborted(Promise.resolve(model.doGenerate(options)), signal)
      report(result)
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
        if (part.type === 'stream-start') report(part)
        ended = part.type === 'finish'
        yield* part.type === 'finish' ? reader.finish(part, true) : reader.push(part)
      }
      if (!ended) throw new LMError('invalid_reply', `${name} ended the stream before the reply was complete.`)
    } catch (error) {
      throw toLMError(error, name, signal)
    }
  }

  // Without an identity: the names don't tell two addresses of one provider apart, nor what middleware makes of the model.
  return { generate, stream }
}

async function open(opening: Promise<{ readonly stream: ReadableStream }>, signal?: AbortSignal): Promise<ReadableStream> {
  try {
    return (await untilAborted(opening, signal)).stream
  } catch (error) {
    // What a model that does not listen to the abort opens later, nobody reads.
    if (signal?.aborted) opening.then(({ stream }) => stream.cancel()).catch(() => {})
    throw error
  }
}

/** Not every environment's streams can be iterated. A consumer that stops early cancels the reply. */
async function* partsOf(stream: ReadableStream, signal: AbortSignal | undefined): AsyncGenerator<Json> {
  const reader = stream.getReader()
  const read = () => untilAborted(reader.read(), signal)
  try {
    for (let next = await read(); !next.done; next = await read()) yield next.value as Json
  } finally {
    // What was read to its end, or failed, is not there to be cancelled.
    reader.cancel().catch(() => {})
  }
}

function refusal(model: unknown): string {
  if (typeof model === 'string')
    return `fromAISDK: ${JSON.stringify(model)} is the name of a model, which only the AI SDK's gateway can look up. Pass the model itself, e.g. openai('gpt-5') from @ai-sdk/openai, or gateway(${JSON.stringify(model)}) from @ai-sdk/gateway.`
  const version = memberAt(model, 'specificationVersion')
  return `fromAISDK: this is no language model of the AI SDK (specificationVersion ${JSON.stringify(version)}; v2, v3 and v4 are known). Pass e.g. openai('gpt-5') from @ai-sdk/openai.`
}
