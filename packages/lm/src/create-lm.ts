/** A wire format and an address become a language model. */
import type { LM, LMDelta, LMOptions, LMRequest, LMResponse } from '@x/adapters'
import type { WireFormat } from '@x/adapters/wire'
import { toDeltas } from './deltas.ts'
import { LMError } from './errors.ts'
import { hostOf, parseJson, post, toLMError } from './http.ts'
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

/** A model over HTTP. Both methods reject with `LMError`; nothing is repeated. Throws for an address that is no URL. */
export function createLM(options: CreateLMOptions): Required<LM> {
  const { wire, model } = options
  const url = endpoint(options)
  const host = hostOf(url)
  const send = (request: LMRequest, stream: boolean, signal: AbortSignal | undefined) =>
    post({
      url,
      headers: headersOf(options),
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
        for (const delta of decoder.push(event)) {
          ended ||= delta.type === 'finish'
          yield checked(delta, host)
        }
      }
      if (!ended) throw new LMError('invalid_reply', `${host} ended the stream before the reply was complete.`)
      yield* decoder.end()
    } catch (error) {
      throw toLMError(error, host, signal)
    }
  }

  return { generate, stream }
}

function endpoint({ baseURL, wire }: CreateLMOptions): string {
  const url = baseURL.replace(/\/+$/, '') + wire.path
  if (!URL.canParse(url))
    throw new TypeError(`createLM: baseURL ${JSON.stringify(baseURL)} is no URL. Write e.g. "http://localhost:8080/v1".`)
  return url
}

function headersOf({ wire, apiKey, headers }: CreateLMOptions): Readonly<Record<string, string>> {
  if (apiKey === undefined) return { ...headers }
  return { ...(wire.authHeaders?.(apiKey) ?? { authorization: `Bearer ${apiKey}` }), ...headers }
}

/** Some servers answer a request for a stream with a whole reply. */
function isEventStream({ headers, body }: Response): boolean {
  return body !== null && !(headers.get('content-type') ?? '').includes('application/json')
}

function decodeReply(wire: WireFormat, text: string, request: LMRequest, host: string): LMResponse {
  const reply = parseJson(text)
  if (reply === undefined)
    throw new LMError('invalid_reply', `${host} sent a reply that is not JSON: ${text.trim().slice(0, 80)}`)
  const response = wire.decode(reply, request)
  if (response.error) throw providerError(response.error.message, host)
  return response
}

function checked(delta: LMDelta, host: string): LMDelta {
  if (delta.type === 'error') throw providerError(delta.error.message, host)
  return delta
}

function providerError(message: string, host: string): LMError {
  return new LMError('provider_error', `${host} reported an error: ${message}`)
}
