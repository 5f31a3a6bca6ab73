/** Creates a language model from a wire format and an address. */
import type {
  EncodeOptions,
  LM,
  LMDelta,
  LMOptions,
  LMRequest,
  LMResponse,
  ModelFacts,
  ReasoningSetting,
  WireFormat,
} from '@x/adapters'
import { toDeltas } from '@x/adapters'
import { checkReasoning, limitOfReply } from '@x/adapters/wire'
import { createBodyWriter } from './body-text.ts'
import { assertCache, assertFacts, assertFunction, assertModelOptions, assertObject, kindOf } from './check-options.ts'
import { type DeadlineOptions, readDeadlines } from './http/deadlines.ts'
import { endpointOf, headersOf } from './http/endpoint.ts'
import { Exchange } from './http/exchange.ts'
import { toLMError } from './http/failure.ts'
import { createHost } from './http/host.ts'
import { post, type Sign } from './http/post.ts'
import { createReplyReader } from './http/reply-reader.ts'
import { type RetryOptions, readRetries, repeat } from './http/retries.ts'
import { identified, identityFrom } from './identity.ts'
import { hasContent, openStream } from './open-stream.ts'
import { createLossReports } from './report-losses.ts'

export interface CreateLMOptions {
  wire: WireFormat
  /** Base URL of the API. The wire format's path is appended to it. Example: `http://localhost:8080/v1`. */
  baseURL: string
  /** Name of the model on the host. */
  model: string
  /** API key. Sent in the wire format's own header if it has one; otherwise as a bearer token. */
  apiKey?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /**
   * Returns headers that depend on the request, such as a signature. Called for each attempt. Its time counts toward
   * `firstByteMs`.
   */
  sign?: Sign | undefined
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /**
   * Default for requests that don't set `cache`. `auto` sends the cache points or the key that the API needs to cache a growing
   * conversation. `off` sends none. A list sets cache points at these places. Default: `auto`.
   */
  cache?: LMRequest['cache']
  deadlines?: DeadlineOptions | undefined
  /** How much the model reasons in requests that don't set `reasoning`. Default: the model's own default. */
  reasoning?: ReasoningSetting | undefined
  /**
   * Facts about the model that override the built-in table, for example for a model that isn't in it: `{ maxOutputTokens: 32_000
   * }`.
   */
  facts?: ModelFacts | undefined
  /** Maximum number of retries after a transient failure, or all retry options. Default: 2. 0 disables retries. */
  retries?: number | RetryOptions | undefined
  /**
   * Called for each part of a request that the wire can't express as intended. Each loss is reported once per model, and a loss in a
   * message once per message. Throw an error to refuse the request. It then isn't sent, the method rejects with that error, and the loss is
   * reported again for the next request.
   */
  onLoss?: EncodeOptions['onLoss']
}

/**
 * Creates a model that is reached over HTTP. Both methods reject with `LMError`, or with the error that `onLoss` throws. They reject with
 * `AdapterError` before the request if the model can't serve it on this API. After a transient failure, a request is retried until its
 * first content has been returned. Throws `TypeError` for an invalid address, header, number, fact or reasoning setting.
 */
export function createLM(options: CreateLMOptions): Required<LM> {
  assertModelOptions('createLM', options)
  const { wire, model, sign, onLoss, apiKey, cache = 'auto', reasoning, facts } = options
  if (typeof wire?.encode !== 'function')
    throw new TypeError(
      `createLM: wire must be a wire format, got ${kindOf(wire)}. Import one, e.g. openaiChat from @x/adapters/wire.`,
    )
  for (const name of ['sign', 'onLoss', 'fetch'] as const) assertFunction('createLM', name, options[name])
  assertCache('createLM', cache)
  assertObject('createLM', 'headers', options.headers, '{ name: value }')
  assertFacts('createLM', facts)
  if (reasoning !== undefined) checkReasoning(reasoning)
  const urls = { whole: endpointOf(options, false), streamed: endpointOf(options, true) }
  const headers = headersOf(options)
  const deadlines = readDeadlines(options.deadlines)
  const retries = readRetries(options.retries)
  const host = createHost(urls.whole, headers, apiKey)
  const replies = createReplyReader(wire, model, facts)
  const reportsFor = createLossReports(onLoss)
  const write = createBodyWriter()
  const encode = (request: LMRequest, stream: boolean) => {
    const asked = { ...request, cache: request.cache ?? cache, reasoning: request.reasoning ?? reasoning }
    assertCache('createLM', asked.cache)
    return write(wire.encode(asked, model, { stream, onLoss: onLoss && reportsFor(request), facts }))
  }
  /** Adds the request's output limit to a truncated response, or to the delta that ends it. */
  const withLimit = <Part extends LMResponse | LMDelta>(part: Part, request: LMRequest): Part => {
    const isTruncated = 'finishReason' in part && part.finishReason === 'length'
    const outputLimit = isTruncated ? limitOfReply(request, wire.modelFacts?.(model, facts) ?? { ...facts }) : undefined
    return outputLimit === undefined ? part : { ...part, outputLimit }
  }
  const send = (exchange: Exchange, url: string, body: string) =>
    post(exchange, { url, headers, body, sign, fetch: options.fetch ?? globalThis.fetch })

  async function generate(request: LMRequest, { signal }: LMOptions = {}): Promise<LMResponse> {
    const body = encode(request, false)
    const once = async () => {
      const exchange = new Exchange({ host, deadlines, signal, isStreamed: false })
      try {
        return withLimit(await replies.whole({ request, exchange, reply: await send(exchange, urls.whole, body) }), request)
      } finally {
        exchange.close()
      }
    }
    return repeat(once, retries, signal)
  }

  async function* stream(request: LMRequest, lmOptions: LMOptions = {}): AsyncGenerator<LMDelta> {
    const { streamDecoder } = wire
    if (streamDecoder === undefined) return yield* toDeltas(await generate(request, lmOptions))
    const { signal } = lmOptions
    const body = encode(request, true)
    const once = async function* () {
      const exchange = new Exchange({ host, deadlines, signal, isStreamed: true })
      try {
        const reply = await send(exchange, urls.streamed, body)
        yield* replies.batches({ request, exchange, reply }, streamDecoder.call(wire, request, model, facts))
      } finally {
        exchange.close()
      }
    }
    const open = () => openStream(once(), (deltas) => deltas.some(hasContent))
    for await (const deltas of await repeat(open, retries, signal)) {
      for (const delta of deltas) {
        if (signal?.aborted) throw toLMError(undefined, host, { signal, isStreamed: true })
        yield withLimit(delta, request)
      }
    }
  }

  return identified(
    { generate, stream },
    identityFrom(
      wire.name,
      urls.whole,
      model,
      JSON.stringify([...new Headers(options.headers), ...(reasoning || facts ? [{ reasoning, facts }] : [])]),
    ),
  )
}
