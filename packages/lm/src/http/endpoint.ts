/** Where a request goes, and with which headers: checked when the model is created. */
import type { WireFormat } from '@x/adapters/wire'

export interface EndpointOptions {
  readonly wire: Pick<WireFormat, 'path' | 'authHeaders' | 'headers'>
  readonly baseURL: string
  readonly model: string
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The wire's path under the base URL, and the queries of both (an API version, say). Throws `TypeError` for a wrong address. */
export function endpointOf({ baseURL, wire, model }: EndpointOptions, stream: boolean): string {
  const { protocol, origin, pathname, search, username, password } = URL.canParse(baseURL) ? new URL(baseURL) : NO_URL
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`createLM: baseURL ${JSON.stringify(baseURL)} is no HTTP address. Write e.g. "http://localhost:8080/v1".`)
  if (username !== '' || password !== '')
    throw new TypeError('createLM: baseURL holds a user name or password, which fetch refuses. Send them in `headers`.')
  const [path = '', query] = (typeof wire.path === 'string' ? wire.path : wire.path(model, stream)).split('?')
  const queries = [search.slice(1), query].filter((text) => text !== undefined && text !== '').join('&')
  return origin + pathname.replace(/\/+$/, '') + path + (queries && `?${queries}`)
}

const NO_URL = new URL('none:')

/** The names are in lower case, so that a header of the caller replaces one that is set here. Throws `TypeError` for a wrong one. */
export function headersOf({ wire, apiKey, headers = {} }: EndpointOptions): Readonly<Record<string, string>> {
  const auth = apiKey === undefined ? {} : (wire.authHeaders?.(apiKey) ?? { authorization: `Bearer ${apiKey}` })
  const all = new Headers({ 'content-type': 'application/json' })
  for (const each of [wire.headers ?? {}, auth, headers]) {
    const wrong = setHeaders(all, each)
    if (wrong !== undefined) throw new TypeError(`createLM: ${wrong}`)
  }
  return Object.fromEntries(all)
}

/** Each replaces one of its name in any case. Returns what is wrong with the first that HTTP does not allow. */
export function setHeaders(all: Headers, headers: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    try {
      all.set(name, value)
    } catch {
      // The words of the original error would show the value, which may be a key.
      return `the header ${JSON.stringify(name)} holds a character that HTTP does not allow.`
    }
  }
  return undefined
}
