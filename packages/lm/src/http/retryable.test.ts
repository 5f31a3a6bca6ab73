import { describe, expect, it } from 'vitest'
import { isExhausted, isPassing, isRetryableStatus, readRetryAfter } from './retryable.ts'

const NOW = Date.UTC(2026, 10, 22, 12, 0, 0)
const after = (headers: Record<string, string>, body = '') => readRetryAfter(new Headers(headers), body, NOW)

describe('a status', () => {
  it.each([408, 409, 429, 500, 502, 503, 504, 529])('%i is retryable', (status) => {
    expect(isRetryableStatus(status)).toBe(true)
  })

  it.each([200, 301, 400, 401, 402, 403, 404, 413, 422, 501, 505])('%i is not retryable', (status) => {
    expect(isRetryableStatus(status)).toBe(false)
  })
})

describe('an error without a status', () => {
  it.each(['overloaded_error', 'rate_limit_exceeded', 'throttlingException', 'UNAVAILABLE', 'server_error', '529', '429'])(
    '%s is transient',
    (code) => {
      expect(isPassing(code)).toBe(true)
    },
  )

  it.each(['engine_overloaded_error', 'unavailable_error', 'rate_limit_reached_error', 'rate_limited'])(
    '%s, which comes with the status 429 or 503, is transient',
    (code) => {
      expect(isPassing(code)).toBe(true)
    },
  )

  it.each(['exceed_context_size_error', 'exceeded_current_quota_error', 'error'])(
    '%s is not transient, whatever the status',
    (code) => {
      expect(isPassing(code)).toBe(false)
    },
  )

  it.each(['invalid_request_error', '400', 'validationException', '', '__proto__', undefined])('%s is not transient', (code) => {
    expect(isPassing(code)).toBe(false)
  })

  it('distinguishes a used-up quota from a rate limit', () => {
    expect(isExhausted('insufficient_quota')).toBe(true)
    expect(isExhausted('rate_limit_exceeded')).toBe(false)
    expect(isExhausted(undefined)).toBe(false)
  })
})

describe('retry-after', () => {
  it('is read as seconds, a date, or milliseconds, which take precedence', () => {
    expect(after({ 'retry-after': '2' })).toBe(2000)
    expect(after({ 'retry-after': '0.25' })).toBe(250)
    expect(after({ 'retry-after': 'Sun, 22 Nov 2026 12:00:05 GMT' })).toBe(5000)
    expect(after({ 'retry-after': '2', 'retry-after-ms': '150' })).toBe(150)
  })

  it('is 0 for a date in the past', () => {
    expect(after({ 'retry-after': 'Sun, 22 Nov 2026 11:00:00 GMT' })).toBe(0)
  })

  it.each(['', 'soon', '-5', '1e9', '5 seconds or so', 'NaN', 'Infinity'])('%j has no meaning', (text) => {
    expect(after({ 'retry-after': text })).toBeUndefined()
  })

  it("is read from the body of Google's errors if no header has it", () => {
    expect(after({}, '{"details": [{"retryDelay": "34.0748s"}]}')).toBe(34_075)
    expect(after({}, '{"retryDelay":"0s"}')).toBe(0)
    expect(after({ 'retry-after': '2' }, '{"retryDelay": "9s"}')).toBe(2000)
    expect(after({}, '{"retryDelay": "1.2.3s"}')).toBeUndefined()
  })

  it('is undefined if it is absent', () => {
    expect(after({})).toBeUndefined()
  })
})
