/** What a host answers, read by a wire format: one reply, or a stream of events. */
import type { LMDelta, LMRequest, LMResponse } from '@x/adapters'
import type { StreamDecoder, WireFormat } from '@x/adapters/wire'
import { toDeltas } from './deltas.ts'
import { LMError } from './errors.ts'
import { MAX_EVENT_LENGTH } from './framing/framing.ts'
import { FRAMINGS } from './framing/framings.ts'
import type { Exchange } from './http/exchange.ts'
import { providerError, reasonOf } from './http/failure.ts'
import type { Host } from './http/host.ts'
import { httpError } from './http/http-error.ts'
import { parseJson } from './http/parse-json.ts'

/** What has been asked, and how the answer comes. */
export interface Answer {
  readonly request: LMRequest
  readonly exchange: Exchange
  readonly reply: Response
}

/** Both reject with `http_error`, `provider_error`, `invalid_reply`, and whatever the exchange rejects with. */
export interface ReplyReader {
  whole(answer: Answer): Promise<LMResponse>
  /** The deltas of each piece of the body together: to hand each one on by itself costs more than to read it. */
  batches(answer: Answer, decoder: StreamDecoder): AsyncGenerator<readonly LMDelta[]>
}

export function createReplyReader(wire: WireFormat, model: string, host: Host): ReplyReader {
  async function readJson({ exchange, reply }: Answer): Promise<unknown> {
    const text = await exchange.text(reply, MAX_EVENT_LENGTH)
    const json = parseJson(text)
    if (json !== undefined) return json
    throw new LMError('invalid_reply', `${host.name} sent a reply that is not JSON: ${host.quote(text, 80)}`)
  }

  /** A reply of a failing status is an error, unless it holds what the model wrote. */
  async function readFailure({ request, exchange, reply }: Answer): Promise<LMResponse> {
    const text = await exchange.text(reply, MAX_ERROR_BYTES).catch(() => '')
    exchange.throwIfAborted()
    const json = parseJson(text)
    const response = json === undefined ? undefined : wire.decodeFailure?.(json, request, model)
    if (response !== undefined && response.error === undefined) return response
    throw httpError(reply, host, json === undefined ? undefined : wire.decodeError?.(json), text)
  }

  function decode(json: unknown, request: LMRequest): LMResponse {
    const response = reading(() => wire.decode(json, request, model))
    if (response.error) throw providerError(response.error, host)
    return response
  }

  /** A wire format of two functions trusts what it reads; a reply that it does not expect makes it throw. */
  function reading<T>(read: () => T): T {
    try {
      return read()
    } catch (cause) {
      const reason = host.quote(reasonOf(cause))
      throw new LMError('invalid_reply', `${host.name} sent what wire format "${wire.name}" cannot read: ${reason}`, { cause })
    }
  }

  function checked(delta: LMDelta): LMDelta {
    if (delta.type === 'error') throw providerError(delta.error, host)
    return delta
  }

  async function* batches(answer: Answer, decoder: StreamDecoder): AsyncGenerator<readonly LMDelta[]> {
    const { request, exchange, reply } = answer
    if (!reply.ok) return yield [...toDeltas(await readFailure(answer))]
    let isComplete = false
    function* read(events: Iterable<unknown>): Generator<readonly LMDelta[]> {
      const deltas: LMDelta[] = []
      try {
        for (const event of events) {
          for (const delta of reading(() => decoder.push(event))) {
            isComplete ||= delta.type === 'finish'
            deltas.push(checked(delta))
          }
        }
      } finally {
        // Where an event is wrong, what those before it say comes before its error.
        if (deltas.length > 0) yield deltas
      }
    }
    if (isStream(reply, wire)) {
      const frames = await FRAMINGS[wire.framing ?? 'sse'](host)
      for await (const bytes of exchange.bytes(reply)) {
        yield* read(frames.push(bytes))
        if (frames.isDone) break
      }
      if (!frames.isDone) yield* read(frames.end())
      isComplete ||= frames.isDone
    } else {
      const json = await readJson(answer)
      if (!Array.isArray(json)) return yield [...toDeltas(decode(json, request))]
      // Gemini, unless it is asked for server-sent events, sends all of them in one list.
      yield* read(json)
    }
    if (!isComplete) throw new LMError('invalid_reply', `${host.name} ended the stream before the reply was complete.`, AGAIN)
    yield reading(() => decoder.end()).map(checked)
  }

  return {
    whole: async (answer) => (answer.reply.ok ? decode(await readJson(answer), answer.request) : readFailure(answer)),
    batches,
  }
}

/** A page of an error that is longer is not worth reading. */
const MAX_ERROR_BYTES = 1024 * 1024

const AGAIN = { retryable: true }

/** Some servers answer a request for a stream with a whole reply, some proxies with a page. One line of JSON is a whole NDJSON too. */
function isStream({ headers, body }: Response, { framing }: WireFormat): boolean {
  const type = headers.get('content-type') ?? ''
  return body !== null && !type.includes('text/html') && (framing === 'ndjson' || !type.includes('application/json'))
}
