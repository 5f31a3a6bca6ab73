/** Retries a model after transient failures. */
import type { LM } from '@x/adapters'
import { assertLM } from '../check-options.ts'
import { type RetryOptions, readRetries, repeat } from '../http/retries.ts'
import { copyingRequests, identityOf } from '../identity.ts'
import { hasContent, openStream } from '../open-stream.ts'
import { throwingLM } from '../throwing-lm.ts'

/**
 * Adds retries to any model. `createLM` already retries, so use only one of the two. A stream is restarted only before its first
 * content. Rejects with the last failure, unchanged. An error that is returned as a value is thrown as `provider_error`. Throws
 * `TypeError` for an invalid option.
 */
export function withRetry(lm: LM, options?: RetryOptions): Required<LM> {
  assertLM('withRetry', lm)
  const retries = readRetries(options)
  const { generate, stream } = throwingLM(lm)
  return copyingRequests(identityOf(lm), {
    generate: (request, lmOptions) => repeat(() => generate(request, lmOptions), retries, lmOptions?.signal),
    async *stream(request, lmOptions) {
      yield* await repeat(() => openStream(stream(request, lmOptions), hasContent), retries, lmOptions?.signal)
    },
  })
}
