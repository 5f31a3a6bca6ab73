/** Wraps a model so that it throws all failures, including the errors that it returns as values. */
import type { LM, LMDelta, LMOptions, LMRequest, LMResponse } from '@x/adapters'
import { oneLine } from './errors.ts'
import { providerError } from './http/provider-error.ts'
import { streamOf } from './open-stream.ts'

export interface ThrowingLM extends Required<LM> {
  stream(request: LMRequest, options?: LMOptions): AsyncGenerator<LMDelta>
}

/**
 * Returns a model that throws a `provider_error` for the `error` of a response or a delta. `name` is used in the message. The
 * returned model always has `stream`.
 */
export function throwingLM(lm: LM, name = 'The model'): ThrowingLM {
  const reporter = { name, quote: oneLine }
  return {
    async generate(request, options): Promise<LMResponse> {
      const response = await lm.generate(request, options)
      if (response.error) throw providerError(response.error, reporter)
      return response
    },
    async *stream(request, options) {
      for await (const delta of streamOf(lm, request, options)) {
        if (delta.type === 'error') throw providerError(delta.error, reporter)
        yield delta
      }
    },
  }
}
