/** One of our language models as one of the AI SDK. */
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart, SharedV3Warning } from '@ai-sdk/provider'
import type { LM, LMDelta, LMRequest } from '@x/adapters'
import { toDeltas } from '../deltas.ts'
import { providerError, toAPICallError } from './errors.ts'
import { toFinishReason } from './finish.ts'
import { ownModel } from './kept.ts'
import { StreamParts } from './stream-parts.ts'
import { toContent } from './to-content.ts'
import { toRequest } from './to-request.ts'
import { toUsage } from './usage.ts'

export interface ToAISDKOptions {
  /** What the model says of itself, `x` unless told; `providerOptions` under this name go to the model. */
  readonly provider?: string | undefined
  /** `lm` unless told. */
  readonly modelId?: string | undefined
  /** Addresses that the model's provider fetches itself, by media type; the AI SDK downloads all others. None unless told. */
  readonly supportedUrls?: Record<string, RegExp[]> | undefined
}

/**
 * For `generateText`, `streamText` and everything else that takes a model. Both methods reject with what the AI SDK's retries know
 * (`AI_APICallError`), or with the reason of the abort. A call that was cut off is not given out as a call. What messages of ours
 * carry for their provider (reasoning, signatures) travels in provider metadata, and comes back with the messages of the AI SDK.
 */
export function toAISDK(lm: LM, { provider = 'x', modelId = 'lm', supportedUrls = {} }: ToAISDKOptions = {}): LanguageModelV3 {
  if (typeof lm?.generate !== 'function') throw new TypeError('toAISDK: this is no LM: it has no method generate.')
  return ownModel({
    specificationVersion: 'v3',
    provider,
    modelId,
    supportedUrls,
    async doGenerate(options) {
      const { request, warnings } = toRequest(options, provider)
      const { abortSignal: signal } = options
      try {
        const response = await lm.generate(request, { signal })
        if (response.error) throw providerError(response.error, provider)
        const { raw, usage } = response
        return {
          content: toContent(response),
          finishReason: toFinishReason(
            response,
            response.toolCalls.some(({ truncated }) => truncated !== true),
          ),
          usage: toUsage(usage),
          warnings: [...warnings],
          ...(raw !== undefined && { response: { body: raw } }),
        }
      } catch (error) {
        throw toAPICallError(error, signal)
      }
    },
    async doStream(options) {
      const { request, warnings } = toRequest(options, provider)
      const { abortSignal: signal } = options
      const deltas = deltasOf(lm, request, signal)
      try {
        // A request that fails at once must reject, so that it is tried again.
        const first = await deltas.next()
        return { stream: toStream(first, deltas, { warnings, provider, signal }) }
      } catch (error) {
        throw toAPICallError(error, signal)
      }
    },
  })
}

async function* deltasOf(lm: LM, request: LMRequest, signal: AbortSignal | undefined): AsyncGenerator<LMDelta> {
  if (lm.stream === undefined) yield* toDeltas(await lm.generate(request, { signal }))
  else yield* lm.stream(request, { signal })
}

interface StreamContext {
  readonly warnings: readonly SharedV3Warning[]
  readonly provider: string
  readonly signal: LanguageModelV3CallOptions['abortSignal']
}

/** Read as fast as it is consumed. An error after the first delta is a part of the stream, and ends it; an abort breaks it. */
function toStream(
  first: IteratorResult<LMDelta>,
  deltas: AsyncGenerator<LMDelta>,
  { warnings, provider, signal }: StreamContext,
): ReadableStream<LanguageModelV3StreamPart> {
  const parts = new StreamParts()
  let next: IteratorResult<LMDelta> | undefined = first
  return new ReadableStream<LanguageModelV3StreamPart>({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [...warnings] })
    },
    async pull(controller) {
      try {
        for (let sent = 0; sent === 0; next = undefined) {
          next ??= await deltas.next()
          signal?.throwIfAborted()
          const ready = next.done === true ? parts.end() : parts.push(next.value)
          for (const part of ready) controller.enqueue(part)
          sent = ready.length
          if (next.done === true) return controller.close()
          if (next.value.type === 'error') throw providerError(next.value.error, provider)
        }
      } catch (error) {
        if (signal?.aborted) return controller.error(signal.reason)
        for (const part of parts.fail(toAPICallError(error))) controller.enqueue(part)
        controller.close()
        await deltas.return(undefined).catch(() => {})
      }
    },
    async cancel() {
      await deltas.return(undefined)
    },
  })
}
