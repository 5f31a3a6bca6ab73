/** Converts a reply with an error status to an `LMError` with the provider's message. */
import type { ProviderError } from '@x/adapters'
import { LMError } from '../errors.ts'
import type { Host } from './host.ts'
import { isExhausted, isRetryableStatus, readRetryAfter } from './retryable.ts'

export interface FailedReply {
  readonly reply: Response
  readonly host: Host
  /** The part of the body that was received. */
  readonly body: string
  /** The error that the wire format found in the body. */
  readonly error?: ProviderError | undefined
  /** The error that the wire format threw when it read the body. */
  readonly cause?: unknown
}

/** Creates the error for a reply. If the provider sent no message, the start of the body is used. */
export function httpError({ reply: { status, headers, url }, host, body, error, cause }: FailedReply): LMError {
  const words = host.quote(error?.message ?? body)
  // AWS sends the code in a header, and may append a URL to it.
  const code = error?.code ?? headers.get('x-amzn-errortype')?.split(':')[0]
  const quoted = (text: string | undefined) => (text === undefined ? undefined : host.quote(text))
  // For a 404, the path shows whether the base URL is wrong.
  const place = status === 404 && url !== '' ? ` at ${host.quote(new URL(url).pathname)}` : ''
  return new LMError('http_error', `${host.name} returned ${status}${place}${words && `: ${words}`}`, {
    status,
    providerCode: quoted(code),
    requestId: quoted(readRequestId(headers)),
    retryable: isRetryable(status, headers, code),
    retryAfterMs: readRetryAfter(headers, body),
    cause,
  })
}

/** Returns true if a retry may help. OpenAI and Anthropic send a header that says so. */
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
