/** The URL and headers of requests, validated when the model is created. */
import type { WireFormat } from '@x/adapters'

export interface EndpointOptions {
  readonly wire: Pick<WireFormat, 'path' | 'authHeaders' | 'headers'>
  readonly baseURL: string
  readonly model: string
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Joins the base URL with the wire format's path and both query strings. For example, a base URL may contain an API version as a
 * query string. Throws `TypeError` for an invalid address.
 */
export function endpointOf({ baseURL, wire, model }: EndpointOptions, stream: boolean): string {
  const { protocol, origin, pathname, search, username, password } = URL.canParse(baseURL) ? new URL(baseURL) : NO_URL
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`createLM: baseURL ${JSON.stringify(baseURL)} is not an HTTP URL. Pass e.g. "http://localhost:8080/v1".`)
  if (username !== '' || password !== '')
    throw new TypeError(
      'createLM: baseURL contains a user name or password, which fetch does not accept. Send them in `headers`.',
    )
  const [path = '', query] = (typeof wire.path === 'string' ? wire.path : wire.path(model, stream)).split('?')
  // A user may choose the model name. It must not change the host or lead to another path.
  if (!path.startsWith('/') || DOT_SEGMENT.test(path) || path.includes('\\'))
    throw new TypeError(
      `createLM: the model ${JSON.stringify(model)} leads to the path ${JSON.stringify(path)}, which is outside the base URL.`,
    )
  const queries = [search.slice(1), query].filter((text) => text !== undefined && text !== '').join('&')
  return origin + pathname.replace(/\/+$/, '') + path + (queries && `?${queries}`)
}

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i
const NO_URL = new URL('none:')

/**
 * Merges all headers. Lower-cases their names, so that the caller's headers replace the ones that are set here. Throws
 * `TypeError` for an invalid header.
 */
export function headersOf({ wire, apiKey, headers = {} }: EndpointOptions): Readonly<Record<string, string>> {
  const auth = apiKey === undefined ? {} : (wire.authHeaders?.(apiKey) ?? { authorization: `Bearer ${apiKey}` })
  const all = new Headers({ 'content-type': 'application/json' })
  for (const each of [wire.headers ?? {}, auth, headers]) {
    const wrong = setHeaders(all, each)
    if (wrong !== undefined) throw new TypeError(`createLM: ${wrong}`)
  }
  return Object.fromEntries(all)
}

/**
 * Sets headers. A header replaces one whose name differs only in case. Returns a message about the first header that HTTP doesn't
 * allow, if any.
 */
export function setHeaders(all: Headers, headers: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    try {
      all.set(name, value)
    } catch {
      // The original error isn't included, because its message contains the value, which may be a key.
      return `the header ${JSON.stringify(name)} contains a character that HTTP does not allow.`
    }
  }
  return undefined
}
