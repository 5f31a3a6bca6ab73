/** Decides which failures are transient, by status, error code and headers. Reads the requested delay. */

/** Returns true for 408, 409 and 429, and for all 5xx except 501 and 505, which are permanent. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || (status >= 500 && status !== 501 && status !== 505)
}

/**
 * Returns true if a quota is used up, which a retry doesn't help. A monthly quota has the same status as a rate limit per minute.
 */
export function isExhausted(code: string | undefined): boolean {
  return code !== undefined && EXHAUSTED.has(code.toLowerCase())
}

const EXHAUSTED: ReadonlySet<string> = new Set(['insufficient_quota', 'billing_hard_limit_reached'])

/**
 * Returns true for a transient error in a reply with a success status. The code is a status as text, or one of the codes below.
 */
export function isPassing(code: string | undefined): boolean {
  if (code === undefined) return false
  if (/^\d{3}$/.test(code)) return isRetryableStatus(Number(code))
  const word = code.toLowerCase().replaceAll('_', '')
  return PASSING.has(word) || PASSING.has(word.replace(/error$/, ''))
}

/** Codes of transient errors in replies with status 200. Compared in lower case and without `_`. */
const PASSING: ReadonlySet<string> = new Set([
  // Anthropic: https://docs.anthropic.com/en/api/errors
  ...['ratelimiterror', 'apierror', 'timeouterror'],
  // OpenAI and compatible APIs.
  ...['ratelimited', 'ratelimitreached', 'toomanyrequests'],
  ...['servererror', 'ratelimitexceeded', 'internalservererror', 'serviceunavailable', 'engineoverloaded', 'overloaded'],
  // Google: https://cloud.google.com/apis/design/errors
  ...['unavailable', 'resourceexhausted', 'internal', 'deadlineexceeded', 'aborted'],
  // Bedrock: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
  ...['throttlingexception', 'serviceunavailableexception', 'internalserverexception', 'modelnotreadyexception'],
  ...['modeltimeoutexception', 'modelstreamerrorexception', 'internalfailure'],
])

/**
 * Reads the delay in `retry-after-ms`, or in `retry-after` as seconds or a date. Otherwise, reads the seconds in the body of Google's
 * errors, such as `"retryDelay": "34.5s"`. Returns milliseconds.
 */
export function readRetryAfter(headers: Headers, body = '', now: number = Date.now()): number | undefined {
  const ms = toNumber(headers.get('retry-after-ms'))
  if (ms !== undefined) return ms
  const text = headers.get('retry-after') ?? /"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1]
  if (text === undefined) return undefined
  const seconds = toNumber(text)
  if (seconds !== undefined) return Math.ceil(seconds * 1000)
  // An HTTP date contains the name of a month. `Date.parse` would also accept a plain number as a year.
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function toNumber(text: string | null): number | undefined {
  return text !== null && /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined
}
