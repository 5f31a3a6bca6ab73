/** Converts AI SDK errors to `LMError`, and `LMError` to errors that the AI SDK can retry. */
import { LMError, type LMErrorCode, oneLine } from '../errors.ts'
import { isExhausted, isPassing, readRetryAfter } from '../http/retryable.ts'
import { fieldAt, type Json, memberAt, numberAt, objectAt, stringAt } from './read.ts'

/**
 * Converts an error to an `LMError`. `error` was thrown by the model or sent inside a stream. `name` identifies the model in the
 * message.
 */
export function toLMError(error: unknown, name: string, signal?: AbortSignal): LMError {
  if (signal?.aborted) return new LMError('aborted', `The request to ${name} was aborted.`, { cause: signal.reason })
  if (error instanceof LMError) return error
  const status = numberAt(error, 'statusCode')
  const headers = objectAt(error, 'responseHeaders')
  const providerCode = providerCodeOf(error)
  return new LMError(codeOf(error, status), messageOf(error, name, status), {
    status,
    retryable: isRetryable(error, providerCode),
    retryAfterMs: retryAfterOf(headers, stringAt(error, 'responseBody')),
    providerCode,
    requestId: stringAt(headers, 'x-request-id') ?? stringAt(headers, 'request-id'),
    cause: error,
  })
}

/**
 * Returns true if a retry may help. An error inside a stream has the provider's own format, which doesn't say so; its code
 * decides then.
 */
function isRetryable(error: unknown, providerCode: string | undefined): boolean {
  if (isExhausted(providerCode)) return false
  const isRetryable = memberAt(error, 'isRetryable')
  return typeof isRetryable === 'boolean' ? isRetryable : isBroken(error) || isPassing(providerCode)
}

function codeOf(error: unknown, status: number | undefined): LMErrorCode {
  const name = textOf(error, 'name')
  // An unreadable reply has a success status, so the status alone doesn't show that it is invalid.
  if (INVALID_REPLIES.has(name) || (status !== undefined && status < 400)) return 'invalid_reply'
  if (status !== undefined) return 'http_error'
  if (name === 'AI_APICallError' || isBroken(error)) return 'unreachable'
  if (name === 'AI_LoadAPIKeyError' || name === 'AI_LoadSettingError') return 'missing_setting'
  if (name === 'TimeoutError') return 'timeout'
  return name === 'AbortError' ? 'aborted' : 'provider_error'
}

const INVALID_REPLIES: ReadonlySet<string> = new Set([
  'AI_InvalidResponseDataError',
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_EmptyResponseBodyError',
  'AI_NoContentGeneratedError',
])

/** Returns true if the connection broke while a reply was being read. The AI SDK doesn't wrap this error. */
function isBroken(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < MAX_CAUSES; cause = cause.cause, depth++) {
    if (/^(E[A-Z]{3,}|UND_ERR_[A-Z_]+)$/.test(textOf(cause, 'code'))) return true
  }
  return false
}

const MAX_CAUSES = 5

function messageOf(error: unknown, name: string, status: number | undefined): string {
  const words = oneLine(wordsOf(error))
  return `${name} ${status !== undefined && status >= 400 ? `returned ${status}` : 'failed'}${words && `: ${words}`}`
}

/** Returns an error's message. The error may also be a string, or a provider's `{ message }` or `{ error: { message } }`. */
function wordsOf(error: unknown): string {
  if (typeof error === 'string') return error
  return textOf(error, 'message') || (stringAt(fieldAt(error, 'error'), 'message') ?? '')
}

function textOf(error: unknown, key: string): string {
  const value = memberAt(error, key)
  return typeof value === 'string' ? value : ''
}

function providerCodeOf(error: unknown): string | undefined {
  const sent = error instanceof Error ? (objectAt(fieldAt(error, 'data'), 'error') ?? fieldAt(error, 'data')) : error
  const inner = objectAt(sent, 'error') ?? sent
  return stringAt(inner, 'code') ?? stringAt(inner, 'type')
}

function retryAfterOf(sent: Json | undefined, body: string | undefined): number | undefined {
  const headers = new Headers()
  for (const name of ['retry-after-ms', 'retry-after']) {
    const value = stringAt(sent, name)
    if (value !== undefined && /^[\x20-\x7e]*$/.test(value)) headers.set(name, value)
  }
  return readRetryAfter(headers, body)
}

/**
 * Converts an `LMError` to an error that the AI SDK accepts as its own `APICallError`, even across copies of its packages. The AI
 * SDK's retries use `isRetryable`, `statusCode` and the headers. Returns other errors, and abort reasons, unchanged.
 */
export function toAPICallError(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason
  if (!(error instanceof LMError)) return error
  const { message, status, retryable, retryAfterMs } = error
  return Object.assign(new Error(message, { cause: error }), {
    name: 'AI_APICallError',
    url: '',
    requestBodyValues: {},
    statusCode: status,
    isRetryable: retryable,
    ...(retryAfterMs !== undefined && { responseHeaders: { 'retry-after-ms': String(retryAfterMs) } }),
    ...MARKS,
  })
}

const MARKS = { [Symbol.for('vercel.ai.error')]: true, [Symbol.for('vercel.ai.error.AI_APICallError')]: true }
