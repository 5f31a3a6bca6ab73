/** Combines several models. If one fails, the next one is called. */
import type { LM, LMOptions } from '@x/adapters'
import { assertFunction, assertLM, kindOf } from '../check-options.ts'
import { LMError } from '../errors.ts'
import { copyingRequests, identityFrom, identityOf } from '../identity.ts'
import { hasContent, openStream } from '../open-stream.ts'
import { type ThrowingLM, throwingLM } from '../throwing-lm.ts'

export interface FallbackOptions {
  /** Returns true if the next model should be called after a failure. Default: after every failure except an abort. */
  readonly when?: ((error: unknown) => boolean) | undefined
}

/**
 * Calls the models in order until one succeeds. A stream falls back only before its first content. An error that is returned as a
 * value counts as a failure (`provider_error`). If a single model failed, its error is thrown unchanged. Several errors are
 * thrown as `all_failed`, with an `AggregateError` as the cause. Throws `TypeError` for an empty list.
 */
export function withFallback(lms: readonly LM[], { when = () => true }: FallbackOptions = {}): Required<LM> {
  if (!Array.isArray(lms))
    throw new TypeError(`withFallback: the models must be a list, got ${kindOf(lms)}. Write withFallback([first, second]).`)
  if (lms.length === 0)
    throw new TypeError('withFallback: the list of models is empty. Pass at least one, e.g. withFallback([first, second]).')
  for (const lm of lms) assertLM('withFallback', lm)
  assertFunction('withFallback', 'when', when)
  const models = lms.map((lm) => throwingLM(lm))

  async function first<T>(ask: (lm: ThrowingLM) => Promise<T>, { signal }: LMOptions = {}): Promise<T> {
    const errors: unknown[] = []
    for (const lm of models) {
      try {
        return await ask(lm)
      } catch (error) {
        errors.push(error)
        if (signal?.aborted) throw error
        if (!when(error)) break
      }
    }
    throw errors.length === 1 ? errors[0] : allFailed(errors)
  }

  return copyingRequests(identityFrom(...lms.map(identityOf)), {
    generate: (request, options) => first((lm) => lm.generate(request, options), options),
    async *stream(request, options) {
      yield* await first((lm) => openStream(lm.stream(request, options), hasContent), options)
    },
  })
}

function allFailed(errors: readonly unknown[]): LMError {
  const words = errors.map((error) => (error instanceof Error ? error.message : String(error)))
  const message = `All ${errors.length} models failed. ${words.join(' | ')}`
  const isRetryable = errors.some((error) => error instanceof LMError && error.retryable)
  return new LMError('all_failed', message, { cause: new AggregateError(errors, message), retryable: isRetryable })
}
