/** A wire format and an address become a language model. */
import type { LM, LMDelta, LMOptions, LMRequest, LMResponse } from '@x/adapters'
import type { WireFormat } from '@x/adapters/wire'
import { toDeltas } from './deltas.ts'
import { LMError } from './errors.ts'
import { createHost, type Host } from './host.ts'
import { parseJson, post, reasonOf, toLMError } from './http.ts'
import { readEvents } from './sse.ts'

export interface CreateLMOptions {
  wire: WireFormat
  /** Address under which the wire's path lies, e.g. `http://localhost:8080/v1`. */
  baseURL: string
  /** Name of the model, as the host knows it. */
  model: string
  /** Sent as the wire says, else as a bearer token. */
  apiKey?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Sends the requests; the global `fetch` unless told. */
  fetch?: typeof globalThis.fetch | undefined
}

/** A model over HTTP. Both methods reject with `LMError`; nothing is repeated. Throws for a wrong address or header. */
export function createLM(options: CreateLMOptions): Required<LM> {
  const { wire, model } = options
  if (typeof wire?.encode !== 'function')
    throw new TypeError('createLM: wire is missing. Import one, e.g. openaiChat from @x/adapters/wire.')
  const url = endpoint(options)
  const headers = headersOf(options)
  const host = createHost(url, headers, options.apiKey)
  const send = (request: LMRequest, stream: boolean, signal: AbortSignal | undefined) =>
    post({
      url,
      host,
      headers,
      body: wire.encode(request, model, { stream }),
      fetch: options.fetch ?? globalThis.fetch,
      signal,
      readError: (body) => wire.decodeError?.(body)?.message,
    })

  async function generate(request: LMRequest, { signal }: LMOptions = {}): Promise<LMResponse> {
    const reply = await send(request, false, signal)
    const text = await reply.text().catch((error: unknown) => {
      throw toLMError(error, host, signal)
    })
    return decodeReply(wire, text, request, host)
  }

  async function* stream(request: LMRequest, lmOptions: LMOptions = {}): AsyncGenerator<LMDelta> {
    const decoder = wire.streamDecoder?.(request)
    if (decoder === undefined) return yield* toDeltas(await generate(request, lmOptions))
    const { signal } = lmOptions
    const reply = await send(request, true, signal)
    try {
      if (!isEventStream(reply)) return yield* toDeltas(decodeReply(wire, await reply.text(), request, host))
      let ended = false
      const onDone = () => {
        ended = true
      }
      for await (const event of readEvents(reply.body as ReadableStream<Uint8Array>, host, onDone)) {
        for (const delta of reading(wire, host, () => decoder.push(event))) {
          signal?.throwIfAborted()
          ended ||= delta.type === 'finish'
          yield checked(delta, host)
        }
      }
      if (!ended) throw new LMError('invalid_reply', `${host.name} ended the stream before the reply was complete.`)
      for (const delta of reading(wire, host, () => decoder.end())) yield checked(delta, host)
    } catch (error) {
      throw toLMError(error, host, signal)
    }
  }

  return { generate, stream }
}

/** The wire's path under the base URL, whose query (an API version, say) stays at the end. */
function endpoint({ baseURL, wire }: CreateLMOptions): string {
  const { protocol, origin, pathname, search, username, password } = URL.canParse(baseURL) ? new URL(baseURL) : NO_URL
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`createLM: baseURL ${JSON.stringify(baseURL)} is no HTTP address. Write e.g. "http://localhost:8080/v1".`)
  if (username !== '' || password !== '')
    throw new TypeError('createLM: baseURL holds a user name or password, which fetch refuses. Send them in `headers`.')
  return origin + pathname.replace(/\/+$/, '') + wire.path + search
}

const NO_URL = new URL('none:')

/** The names are in lower case, so that a header of the caller replaces one that is set here. */
function headersOf({ wire, apiKey, headers = {} }: CreateLMOptions): Readonly<Record<string, string>> {
  const auth = apiKey === undefined ? {} : (wire.authHeaders?.(apiKey) ?? { authorization: `Bearer ${apiKey}` })
  const all = new Headers({ 'content-type': 'application/json' })
  for (const [name, value] of [...Object.entries(auth), ...Object.entries(headers)]) {
    try {
      all.set(name, value)
    } catch {
      // The words of the original error would show the value, which may be a key.
      throw new TypeError(`createLM: the header ${JSON.stringify(name)} holds a character that HTTP does not allow.`)
    }
  }
  return Object.fromEntries(all)
}

/** Some servers answer a request for a stream with a whole reply, some proxies with a page. */
function isEventStream({ headers, body }: Response): boolean {
  return body !== null && !/application\/json|text\/html/.test(headers.get('content-type') ?? '')
}

function decodeReply(wire: WireFormat, text: string, request: LMRequest, host: Host): LMResponse {
  const reply = parseJson(text)
  if (reply === undefined)
    throw new LMError('invalid_reply', `${host.name} sent a reply that is not JSON: ${host.quote(text, 80)}`)
  const response = reading(wire, host, () => wire.decode(reply, request))
  if (response.error) throw providerError(response.error.message, host)
  return response
}

/** A wire format of two functions trusts what it reads; a reply that it does not expect makes it throw. */
function reading<T>(wire: WireFormat, host: Host, decode: () => T): T {
  try {
    return decode()
  } catch (cause) {
    const reason = host.quote(reasonOf(cause))
    throw new LMError('invalid_reply', `${host.name} sent what wire format "${wire.name}" cannot read: ${reason}`, { cause })
  }
}

function checked(delta: LMDelta, host: Host): LMDelta {
  if (delta.type === 'error') throw providerError(delta.error.message, host)
  return delta
}

function providerError(message: string, host: Host): LMError {
  return new LMError('provider_error', `${host.name} reported an error: ${host.quote(message)}`)
}
