/** A model that is asked only so often, so much, or by so many at once. */
import type { LM, LMResponse, Usage } from '@x/adapters'
import { assertLM } from '../check-options.ts'
import { asAsked, identityOf } from '../identity.ts'
import { streamOf } from '../open-stream.ts'
import { RateQueue } from './rate-queue.ts'

export interface RateLimitOptions {
  /**
   * Requests that may begin within any 60 seconds, a whole number. What the model below sends again by itself is not seen: give
   * `createLM` `retries: 0`, and put `withRetry` around the limit.
   */
  readonly requestsPerMinute?: number | undefined
  /**
   * Tokens, of input and output, within any 60 seconds. A request's tokens are known when it is over, so those under way may go over
   * it: set `concurrency` beside it.
   */
  readonly tokensPerMinute?: number | undefined
  /** Requests under way at once, a whole number; a stream is under way until its end. */
  readonly concurrency?: number | undefined
}

/** Requests wait in the order in which they came, and leave at an abort. Throws `TypeError` for a limit that is none. */
export function withRateLimit(lm: LM, options: RateLimitOptions): Required<LM> {
  assertLM('withRateLimit', lm)
  const queue = new RateQueue(readLimits(options))
  return asAsked(identityOf(lm), {
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
    throw new TypeError('withRateLimit: there is no limit. Write e.g. withRateLimit(lm, { requestsPerMinute: 60 }).')
  const { requestsPerMinute = Infinity, tokensPerMinute = Infinity, concurrency = Infinity } = options
  const limits = { requestsPerMinute, tokensPerMinute, concurrency }
  for (const [name, value] of Object.entries(limits)) {
    if (typeof value !== 'number' || !(value >= 1))
      throw new TypeError(`withRateLimit: ${name} is ${String(value)}. Write a number from 1.`)
    // Half a request would let a whole one in.
    if (name !== 'tokensPerMinute' && value < Infinity && !Number.isInteger(value))
      throw new TypeError(`withRateLimit: ${name} is ${value}. Write a whole number from 1.`)
  }
  return limits
}

function tokensOf({ inputTokens = 0, outputTokens = 0 }: Usage = {}): number {
  return inputTokens + outputTokens
}
