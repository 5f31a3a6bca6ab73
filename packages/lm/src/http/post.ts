/** Sends JSON to a model's host with POST. Signs the request if `sign` is set. */
import { LMError } from '../errors.ts'
import { setHeaders } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { reasonOf } from './failure.ts'

export interface SignedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Returns headers to add to a request. They replace headers of the same name. Called for each attempt. */
export type Sign = (request: SignedRequest) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>

export interface Post extends SignedRequest {
  readonly fetch: typeof globalThis.fetch
  readonly sign?: Sign | undefined
}

/** Sends the request. Rejects with `LMError`. Doesn't follow redirects, because they could send the key to another host. */
export async function post(exchange: Exchange, { fetch, sign, ...request }: Post): Promise<Response> {
  const headers = sign === undefined ? request.headers : await signedHeaders(exchange, sign, request)
  return exchange.send(fetch, request.url, { method: 'POST', headers, body: request.body, redirect: 'manual' })
}

/** Returns the signed headers. An error from `sign` isn't retried, unless it is an `LMError` that is marked as retryable. */
async function signedHeaders(exchange: Exchange, sign: Sign, request: SignedRequest): Promise<Readonly<Record<string, string>>> {
  try {
    const all = new Headers(request.headers)
    const wrong = setHeaders(all, await exchange.sign(() => sign(request)))
    if (wrong !== undefined) throw new TypeError(wrong)
    const headers = Object.fromEntries(all)
    // A host may quote the signed headers in an error.
    exchange.hide(headers)
    return headers
  } catch (cause) {
    if (cause instanceof LMError) throw cause
    const { name, quote } = exchange.host
    throw new LMError('missing_setting', `Cannot sign the request to ${name}: ${quote(reasonOf(cause))}`, { cause })
  }
}
