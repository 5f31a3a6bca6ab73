/** Limits how many requests to a model start per minute, and how many run at once. */
import type { LM, LMResponse, Usage } from '@x/adapters'
import { assertLM, kindOf } from '../check-options.ts'
import { copyingRequests, identityOf } from '../identity.ts'
import { streamOf } from '../open-stream.ts'
import { RateQueue } from './rate-queue.ts'

export interface RateLimitOptions {
  /**
   * Maximum number of requests that start within any 60 seconds. A whole number. The wrapped model's own retries aren't counted,
   * so set `retries: 0` in `createLM` and put `withRetry` around the limit.
   */
  readonly requestsPerMinute?: number | undefined
  /**
   * Maximum number of input and output tokens within any 60 seconds. Tokens are counted when a request ends, so running requests may exceed
   * the limit. To prevent that, set `concurrency` too.
   */
  readonly tokensPerMinute?: number | undefined
  /** Maximum number of requests that run at once. A whole number. A stream counts until it ends. */
  readonly concurrency?: number | undefined
}

/**
 * Returns a model that queues requests in order of arrival. An aborted request leaves the queue. Throws `TypeError` for an
 * invalid limit.
 */
export function withRateLimit(lm: LM, options: RateLimitOptions): Required<LM> {
  assertLM('withRateLimit', lm)
  const queue = new RateQueue(readLimits(options))
  return copyingRequests(identityOf(lm), {
    async generate(request, lmOptions) {
      let response: LMResponse | undefined
      await queue.enter(lmOptions?.signal)
      try {
        response = await lm.generate(request, lmOptions)
        return response
      } finally {
        queue.leave(tokensOf(response?.usage))
      }
    },
    async *stream(request, lmOptions) {
      let usage: Usage | undefined
      await queue.enter(lmOptions?.signal)
      try {
        for await (const delta of streamOf(lm, request, lmOptions)) {
          if (delta.type === 'usage') usage = { ...usage, ...delta.usage }
          yield delta
        }
      } finally {
        queue.leave(tokensOf(usage))
      }
    },
  })
}

function readLimits(options: RateLimitOptions): Required<{ [Key in keyof RateLimitOptions]: number }> {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(
      `withRateLimit: options must be an object, got ${kindOf(options)}. Write withRateLimit(lm, { requestsPerMinute: 60 }).`,
    )
  const { requestsPerMinute = Infinity, tokensPerMinute = Infinity, concurrency = Infinity } = options
  const limits = { requestsPerMinute, tokensPerMinute, concurrency }
  for (const [name, value] of Object.entries(limits)) {
    if (typeof value !== 'number' || !(value >= 1))
      throw new TypeError(`withRateLimit: ${name} must be a number of at least 1, got ${String(value)}.`)
    // With a fractional limit, such as 1.5, two whole requests would still start.
    if (name !== 'tokensPerMinute' && value < Infinity && !Number.isInteger(value))
      throw new TypeError(`withRateLimit: ${name} must be a whole number of at least 1, got ${value}.`)
  }
  return limits
}

function tokensOf({ inputTokens = 0, outputTokens = 0 }: Usage = {}): number {
  return inputTokens + outputTokens
}
