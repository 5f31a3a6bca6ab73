import { APICallError, LoadAPIKeyError, TypeValidationError } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { wholeModel } from '../../test/ai-sdk/model.ts'
import { LMError } from '../errors.ts'
import { toAPICallError } from './errors.ts'
import { fromAISDK } from './index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const errorOf = (error: Error) =>
  fromAISDK(wholeModel(error))
    .generate(request)
    .catch((caught: unknown) => caught)
const api = (options: Partial<ConstructorParameters<typeof APICallError>[0]>) =>
  new APICallError({ message: 'Slow\ndown.', url: 'https://a.test', requestBodyValues: {}, ...options })

describe('an error of the AI SDK', () => {
  it('becomes http_error for a status, and keeps the advice about retries', async () => {
    const responseHeaders = { 'retry-after': '2', 'x-request-id': 'r1' }
    const data = { error: { type: 'rate_limit_error' } }
    expect(await errorOf(api({ statusCode: 429, responseHeaders, data }))).toMatchObject({
      name: 'LMError',
      code: 'http_error',
      status: 429,
      retryable: true,
      retryAfterMs: 2000,
      requestId: 'r1',
      providerCode: 'rate_limit_error',
      message: 'acme.chat (m) returned 429: Slow down.',
    })
    expect(await errorOf(api({ statusCode: 401 }))).toMatchObject({ code: 'http_error', status: 401, retryable: false })
    const responseBody = '{"error": {"code": 429, "details": [{"retryDelay": "31s"}]}}'
    expect(await errorOf(api({ statusCode: 429, responseBody }))).toMatchObject({ retryAfterMs: 31_000 })
  })

  it('is not retried if it is permanent, whatever its status', async () => {
    const data = { error: { code: 'insufficient_quota' } }
    expect(await errorOf(api({ statusCode: 429, data }))).toMatchObject({ retryable: false })
  })

  it('becomes unreachable without a status', async () => {
    const cause = Object.assign(new Error('closed'), { code: 'UND_ERR_SOCKET' })
    for (const error of [api({ isRetryable: true }), new TypeError('terminated', { cause })]) {
      const converted = await errorOf(error)
      expect(converted).toMatchObject({ code: 'unreachable', retryable: true })
      expect(converted).not.toHaveProperty('status')
    }
  })

  it('becomes invalid_reply if it concerns the reply', async () => {
    for (const error of [api({ statusCode: 200 }), new TypeValidationError({ value: 1, cause: new Error('no') })])
      expect(await errorOf(error)).toMatchObject({ code: 'invalid_reply', retryable: false, cause: error })
  })

  it('keeps the message about a missing key', async () => {
    const error = new LoadAPIKeyError({ message: 'The key is missing.' })
    expect(await errorOf(error)).toMatchObject({
      code: 'missing_setting',
      retryable: false,
      message: 'acme.chat (m) failed: The key is missing.',
    })
  })

  it('is recognised by the name of its class', async () => {
    expect(await errorOf(new DOMException('Too slow.', 'TimeoutError'))).toMatchObject({
      code: 'timeout',
      message: 'acme.chat (m) failed: Too slow.',
    })
  })

  it('has a short message even if the original is long', async () => {
    expect(((await errorOf(new Error('x'.repeat(10_000)))) as Error).message.length).toBeLessThan(400)
  })

  it('is reported as the abort after an abort', async () => {
    const lm = fromAISDK(wholeModel({ content: [] }))
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    await expect(lm.generate(request, { signal })).rejects.toMatchObject({ code: 'aborted', cause: reason })
    await expect(lm.stream(request, { signal })[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'aborted' })
  })
})

describe('an error of ours', () => {
  it('is recognised by the AI SDK, and comes back the same', async () => {
    const error = new LMError('http_error', 'host returned 503: busy', { status: 503, retryable: true, retryAfterMs: 1500 })
    const theirs = toAPICallError(error)
    expect(APICallError.isInstance(theirs)).toBe(true)
    expect(theirs).toMatchObject({ message: error.message, statusCode: 503, isRetryable: true, cause: error })
    expect(await errorOf(theirs as Error)).toMatchObject({ code: 'http_error', status: 503, retryable: true, retryAfterMs: 1500 })
  })

  it('is passed on unchanged if it is of another kind', () => {
    const error = new RangeError('a mistake')
    expect(toAPICallError(error)).toBe(error)
  })
})
