/** A model that is asked again after a passing failure. */
import type { LM } from '@x/adapters'
import { assertLM } from '../check-options.ts'
import { type RetryOptions, readRetries, repeat } from '../http/retries.ts'
import { asAsked, identityOf } from '../identity.ts'
import { openStream, saysSomething } from '../open-stream.ts'
import { throwingLM } from '../throwing-lm.ts'

/**
 * Around any model; `createLM` does the same by itself, so one of the two is enough. A stream is begun again only before it has said
 * anything. Rejects with the last failure, unchanged; an error that the model gives as a value is thrown as `provider_error`. Throws
 * `TypeError` for a number that is none.
 */
export function withRetry(lm: LM, options?: RetryOptions): Required<LM> {
  assertLM('withRetry', lm)
  const retries = readRetries(options)
  const { generate, stream } = throwingLM(lm)
  return asAsked(identityOf(lm), {
    generate: (request, lmOptions) => repeat(() => generate(request, lmOptions), retries, lmOptions?.signal),
    async *stream(request, lmOptions) {
      yield* await repeat(() => openStream(stream(request, lmOptions), saysSomething), retries, lmOptions?.signal)
    },
  })
}
