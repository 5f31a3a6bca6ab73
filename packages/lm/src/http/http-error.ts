/** A status that says no, as an error with the words of the provider. */
import type { ProviderError } from '@x/adapters'
import { LMError } from '../errors.ts'
import type { Host } from './host.ts'
import { isExhausted, isRetryableStatus, readRetryAfter } from './retryable.ts'

export interface FailedReply {
  readonly reply: Response
  readonly host: Host
  /** The whole of it, as far as it came. */
  readonly body: string
  /** What the wire format reads in the body. */
  readonly error?: ProviderError | undefined
  /** Why the wire format could not read it. */
  readonly cause?: unknown
}

/** Without words of the provider, the beginning of the body stands in their place. */
export function httpError({ reply: { status, headers, url }, host, body, error, cause }: FailedReply): LMError {
  const words = host.quote(error?.message ?? body)
  const quoted = (text: string | undefined) => (text === undefined ? undefined : host.quote(text))
  // A wrong base URL shows in the path.
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

/** OpenAI and Anthropic say themselves whether another try is of use. */
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
