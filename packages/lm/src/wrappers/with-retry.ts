/** A model that is asked again after a passing failure. */
import type { LM } from '@x/adapters'
import { openStream, saysSomething, streamOf } from '../open-stream.ts'
import { type RetryOptions, readRetries, repeat } from '../retries.ts'

/**
 * Around any model; `createLM` does the same by itself. A stream is begun again only before it has said anything. Rejects with the
 * last failure, unchanged. Throws `TypeError` for a number that is none.
 */
export function withRetry(lm: LM, options?: RetryOptions): Required<LM> {
  const retries = readRetries(options)
  return {
    generate: (request, lmOptions) => repeat(() => lm.generate(request, lmOptions), retries, lmOptions?.signal),
    async *stream(request, lmOptions) {
      yield* await repeat(() => openStream(streamOf(lm, request, lmOptions), saysSomething), retries, lmOptions?.signal)
    },
  }
}
