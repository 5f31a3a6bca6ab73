/** Turns an `LM` into an AI SDK model. */
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart, SharedV3Warning } from '@ai-sdk/provider'
import type { LM, LMDelta } from '@x/adapters'
import { kindOf } from '../../check-options.ts'
import { hasContent, openStream } from '../../open-stream.ts'
import { throwingLM } from '../../throwing-lm.ts'
import { toAPICallError } from '../errors.ts'
import { toFinishReason } from '../finish.ts'
import { ownModel } from '../kept.ts'
import { toUsage } from '../usage.ts'
import { StreamParts } from './stream-parts.ts'
import { toContent } from './to-content.ts'
import { toRequest } from './to-request.ts'

export interface ToAISDKOptions {
  /** Provider name of the model. Also the key of its options in `providerOptions`. Default: `x`. */
  readonly provider?: string | undefined
  /** Model id. Default: `lm`. */
  readonly modelId?: string | undefined
  /**
   * URL patterns by media type, for URLs that the model's provider can fetch itself. The AI SDK downloads all other URLs.
   * Default: none.
   */
  readonly supportedUrls?: Record<string, RegExp[]> | undefined
}

/**
 * Turns an `LM` into a model for `generateText`, `streamText` and every other function that accepts an AI SDK model. Both methods
 * reject with `AI_APICallError`, which the AI SDK can retry, or with the abort reason. Truncated calls aren't passed on as calls.
 * Data for the provider, such as reasoning and signatures, travels through the AI SDK's messages as provider metadata.
 */
export function toAISDK(lm: LM, { provider = 'x', modelId = 'lm', supportedUrls = {} }: ToAISDKOptions = {}): LanguageModelV3 {
  if (typeof lm?.generate !== 'function')
    throw new TypeError(
      `toAISDK: lm must be an LM with a generate method, got ${kindOf(lm)}. Pass e.g. createLM({ wire, baseURL, model }).`,
    )
  const model = throwingLM(lm, provider)
  return ownModel({
    specificationVersion: 'v3',
    provider,
    modelId,
    supportedUrls,
    async doGenerate(options) {
      const { request, warnings } = toRequest(options, provider)
      const { abortSignal: signal } = options
      try {
        const response = await model.generate(request, { signal })
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
      const deltas = model.stream(request, { signal })
      try {
        // A request that fails before its first content must reject, so that the AI SDK can retry it.
        const opened = await openStream(deltas, hasContent)
        return { stream: toStream(opened, { warnings, signal, close: () => deltas.return(undefined) }) }
      } catch (error) {
        throw toAPICallError(error, signal)
      }
    },
  })
}

interface StreamContext {
  readonly warnings: readonly SharedV3Warning[]
  readonly signal: LanguageModelV3CallOptions['abortSignal']
  /** Closes the reply, even if none of it has been read. */
  close(): Promise<unknown>
}

/**
 * Creates a stream that reads the reply only as fast as it is consumed. If the model fails, the error is the last part. If the
 * request is aborted, the stream itself fails.
 */
function toStream(
  deltas: AsyncGenerator<LMDelta>,
  { warnings, signal, close }: StreamContext,
): ReadableStream<LanguageModelV3StreamPart> {
  const parts = new StreamParts()
  return new ReadableStream<LanguageModelV3StreamPart>({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [...warnings] })
    },
    async pull(controller) {
      try {
        for (let sent = 0; sent === 0; ) {
          const next = await deltas.next()
          signal?.throwIfAborted()
          const ready = next.done === true ? parts.end() : parts.push(next.value)
          for (const part of ready) controller.enqueue(part)
          sent = ready.length
          if (next.done === true) return controller.close()
        }
      } catch (error) {
        if (signal?.aborted) controller.error(signal.reason)
        else {
          for (const part of parts.fail(toAPICallError(error))) controller.enqueue(part)
          controller.close()
        }
        await close().catch(() => {})
      }
    },
    async cancel() {
      await close()
    },
  })
}
