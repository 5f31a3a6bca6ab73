/** Converts a reply with an error status to an `LMError` with the provider's message. */
import type { ProviderError } from '@x/adapters'
import { LMError } from '../errors.ts'
import type { Host } from './host.ts'
import { isExhausted, isRetryableStatus, readRetryAfter } from './retryable.ts'

export interface FailedReply {
  readonly reply: Response
  readonly host: Host
  /** The part of the body that has arrived. */
  readonly body: string
  /** The error that the wire format found in the body. */
  readonly error?: ProviderError | undefined
  /** Why the wire format couldn't read the body. */
  readonly cause?: unknown
}

/** Creates the error for a reply. If there is no message from the provider, the error contains the start of the body. */
export function httpError({ reply: { status, headers, url }, host, body, error, cause }: FailedReply): LMError {
  const words = host.quote(error?.message ?? body)
  const quoted = (text: string | undefined) => (text === undefined ? undefined : host.quote(text))
  // The path shows whether the base URL is wrong.
  const place = status === 404 && url !== '' ? ` at ${host.quote(new URL(url).pathname)}` : ''
  return new LMError('http_error', `${host.name} answered ${status}${place}${words && `: ${words}`}`, {
    status,
    providerCode: quoted(error?.code),
    requestId: quoted(readRequestId(headers)),
    retryable: isRetryable(status, headers, error?.code),
    retryAfterMs: readRetryAfter(headers),
    cause,
  })
}

/** True if a retry may help. OpenAI and Anthropic send a header that states this. */
function isRetryable(status: number, headers: Headers, code: string | undefined): boolean {
  const advice = headers.get('x-should-retry')
  if (advice === 'true' || advice === 'false') return advice === 'true'
  return isRetryableStatus(status) && !isExhausted(code)
}

const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id', 'mistral-correlation-id']

function readRequestId(headers: Headers): string | undefined {
  for (const name of REQUEST_ID_HEADERS) {
    const id = headers.get(name)
    if (id) return id
  }
  return undefined
}
