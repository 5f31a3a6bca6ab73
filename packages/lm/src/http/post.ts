/** Posts JSON to a model's host, signed where that is wanted. */
import { LMError } from '../errors.ts'
import { setHeaders } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { reasonOf } from './failure.ts'

export interface SignedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The headers that a request needs beside its own, or in place of some of them, made for each try anew. */
export type Sign = (request: SignedRequest) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>

export interface Post extends SignedRequest {
  readonly fetch: typeof globalThis.fetch
  readonly sign?: Sign | undefined
}

/** Rejects with `LMError`. A redirect is not followed: it could take the key to another host. */
export async function post(exchange: Exchange, { fetch, sign, ...request }: Post): Promise<Response> {
  const headers = sign === undefined ? request.headers : await signedHeaders(exchange, sign, request)
  return exchange.send(fetch, request.url, { method: 'POST', headers, body: request.body, redirect: 'manual' })
}

/** What `sign` throws is not retryable, unless it says so itself by an `LMError`. */
async function signedHeaders(exchange: Exchange, sign: Sign, request: SignedRequest): Promise<Readonly<Record<string, string>>> {
  try {
    const all = new Headers(request.headers)
    const wrong = setHeaders(all, await exchange.sign(() => sign(request)))
    if (wrong !== undefined) throw new TypeError(wrong)
    const headers = Object.fromEntries(all)
    // Hosts may show in their errors what was signed.
    exchange.hide(headers)
    return headers
  } catch (cause) {
    if (cause instanceof LMError) throw cause
    const { name, quote } = exchange.host
    throw new LMError('missing_setting', `Cannot sign the request to ${name}: ${quote(reasonOf(cause))}`, { cause })
  }
}
