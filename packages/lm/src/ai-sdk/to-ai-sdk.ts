/** One of our language models as one of the AI SDK. */
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart, SharedV3Warning } from '@ai-sdk/provider'
import type { LM, LMDelta } from '@x/adapters'
import { openStream, saysSomething } from '../open-stream.ts'
import { throwingLM } from '../throwing-lm.ts'
import { toAPICallError } from './errors.ts'
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
        // A request that fails before it has said anything must reject, so that it is tried again.
        const opened = await openStream(deltas, saysSomething)
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
  /** Ends the reply, also one of which nothing has been read yet. */
  close(): Promise<unknown>
}

/** Read as fast as it is consumed. An error in the midst of it is a part of the stream, and ends it; an abort breaks it. */
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
