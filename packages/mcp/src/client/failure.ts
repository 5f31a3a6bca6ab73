/** Determines from an SDK error what has happened to a call. */
import type * as Sdk from '@modelcontextprotocol/client'
import { MALFORMED, STREAM_ENDED, TOO_LARGE } from './lost.ts'

/**
 * - `not_sent`: the server didn't receive the call.
 * - `rate_limited`: the server refused the call, because it received too many requests.
 * - `no_session`: the server refused the call, because it no longer knows the session.
 * - `wrong_headers`: the server refused the call, because its headers come from an earlier definition.
 * - `lost`: the call may or may not have been executed.
 */
export type CallFate =
  | 'not_sent'
  | 'rate_limited'
  | 'no_session'
  | 'wrong_headers'
  | 'lost'
  | 'too_large'
  | 'malformed'
  | 'unauthorized'
  | 'refused'

const HEADER_MISMATCH = -32_020

export function fateOf(error: unknown, sdk: typeof Sdk, wasTooLarge: boolean): CallFate {
  const data: unknown = (error as { data?: unknown } | null)?.data
  if (data === STREAM_ENDED) return 'lost'
  if (data === TOO_LARGE || wasTooLarge) return 'too_large'
  if (data === MALFORMED) return 'malformed'
  if (isAuthError(error, sdk)) return 'unauthorized'
  if (error instanceof sdk.ProtocolError) return error.code === HEADER_MISMATCH ? 'wrong_headers' : 'refused'
  if (error instanceof sdk.SdkError) return fateOfSdk(error, sdk)
  if (!(error instanceof Error)) return 'lost'
  if (error.message === 'Not connected') return 'not_sent'
  if (error.name === 'SyntaxError' || error.name.endsWith('ZodError')) return 'malformed'
  return NOT_SENT.has(networkCodeOf(error)) ? 'not_sent' : 'lost'
}

/** Returns the code of the network error that made `fetch` fail, such as `ECONNRESET`. */
export function networkCodeOf(error: unknown): unknown {
  return (error as { readonly cause?: { readonly code?: unknown } | null } | null)?.cause?.code
}

/** Returns true if authorization is missing or its flow failed. */
export function isAuthError(error: unknown, { UnauthorizedError, OAuthClientFlowError, OAuthError }: typeof Sdk): boolean {
  return [UnauthorizedError, OAuthClientFlowError, OAuthError].some((kind) => error instanceof kind) || statusOf(error) === 401
}

export function statusOf(error: unknown): number | undefined {
  const status: unknown = (error as { status?: unknown } | null)?.status
  return typeof status === 'number' ? status : undefined
}

/** Error codes of connections that were never established. */
const NOT_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function fateOfSdk(error: Sdk.SdkError, { SdkErrorCode }: typeof Sdk): CallFate {
  const status = statusOf(error)
  if (status !== undefined) return fateOfStatus(status, error.message)
  switch (error.code) {
    case SdkErrorCode.NotConnected:
      return 'not_sent'
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return 'malformed'
    default:
      return 'lost'
  }
}

function fateOfStatus(status: number, words: string): CallFate {
  if (status === 401) return 'unauthorized'
  // The protocol requires 404, but some servers answer 400.
  if (status === 404 || (status === 400 && /session/i.test(words))) return 'no_session'
  // Not 503: a proxy also returns it when it loses the connection to a server that has received the call.
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'lost' : 'refused'
}
