/** Posts JSON to a model's host, signed where that is wanted. */
import type { Exchange } from './exchange.ts'
import type { Host } from './host.ts'

export interface SignedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The headers that a request needs beside its own, made for each try anew. */
export type Sign = (request: SignedRequest) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>

export interface Post extends SignedRequest {
  readonly host: Host
  readonly fetch: typeof globalThis.fetch
  readonly sign?: Sign | undefined
}

/** Rejects with `LMError`, or with what `sign` throws. A redirect is not followed: it could take the key to another host. */
export async function post(exchange: Exchange, { host, fetch, sign, ...request }: Post): Promise<Response> {
  const { url, headers, body } = request
  exchange.throwIfAborted()
  const signed = sign === undefined ? undefined : await sign(request)
  // Hosts may show in their errors what was signed.
  if (signed !== undefined) host.hide(signed)
  return exchange.send(fetch, url, { method: 'POST', headers: { ...headers, ...signed }, body, redirect: 'manual' })
}
