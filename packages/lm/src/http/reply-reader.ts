/** Reads a host's reply with a wire format, whether complete or streamed. */

import { type LMDelta, type LMRequest, type LMResponse, toDeltas } from '@x/adapters'
import type { Framing, ModelFacts, StreamDecoder, WireFormat } from '@x/adapters/wire'
import { LMError } from '../errors.ts'
import { openStream } from '../open-stream.ts'
import { createDeltaReader } from './delta-reader.ts'
import type { Exchange, Stage } from './exchange.ts'
import { reasonOf } from './failure.ts'
import { createAWSReader } from './framing/aws-event-stream.ts'
import { type CreateFrameReader, MAX_EVENT_LENGTH } from './framing/framing.ts'
import { createNDJSONReader } from './framing/ndjson.ts'
import { createSSEReader } from './framing/sse.ts'
import type { Host } from './host.ts'
import { httpError } from './http-error.ts'
import { providerError } from './provider-error.ts'

/** A request and its reply. */
export interface Answer {
  readonly request: LMRequest
  readonly exchange: Exchange
  readonly reply: Response
}

/** Reads replies. Both methods reject with `http_error`, `provider_error`, `invalid_reply`, or an error of the exchange. */
export interface ReplyReader {
  whole(answer: Answer): Promise<LMResponse>
  /** Yields a batch of deltas for each piece of the body. */
  batches(answer: Answer, decoder: StreamDecoder): AsyncGenerator<readonly LMDelta[]>
}

export function createReplyReader(wire: WireFormat, model: string, facts?: ModelFacts): ReplyReader {
  async function whole(answer: Answer): Promise<LMResponse> {
    const { request, exchange, reply } = answer
    if (!reply.ok) return readFailure(answer)
    return decode(await readJson(exchange, exchange.bytes(reply)), request, exchange.host)
  }

  async function* batches(answer: Answer, decoder: StreamDecoder): AsyncGenerator<readonly LMDelta[]> {
    const { request, exchange, reply } = answer
    const { host } = exchange
    if (!reply.ok) return yield [...toDeltas(await readFailure(answer))]
    const deltas = createDeltaReader(decoder, {
      reading: (read) => reading(read, host),
      checked: (delta) => checked(delta, host),
      onContent: () => exchange.extendContent(),
    })
    const frames = isStream(reply, wire) ? await FRAMINGS[wire.framing ?? 'sse'](host) : undefined
    const stage = (): Stage => (frames?.isDone ? 'done' : deltas.isAtEnd ? 'complete' : 'open')
    const { first, pieces } = await lookAhead(exchange.bytes(reply, stage))
    if (frames === undefined || isDocument(first, wire)) {
      const json = await readJson(exchange, pieces)
      if (!Array.isArray(json)) return yield [...toDeltas(decode(json, request, host))]
      // Without server-sent events, Gemini sends all events in one array.
      yield* deltas.read(json)
    } else {
      try {
        for await (const bytes of pieces) {
          yield* deltas.read(frames.push(bytes))
          if (frames.isDone) break
        }
        if (!frames.isDone) yield* deltas.read(frames.end())
      } catch (error) {
        if (!deltas.isAtEnd || !isCutOff(error)) throw error
      }
    }
    const isDone = frames?.isDone ?? false
    if (!deltas.isComplete && !isDone)
      throw new LMError('invalid_reply', `${host.name} ended the stream before the reply was complete.`, { retryable: true })
    yield deltas.end(isDone)
  }

  async function readJson(exchange: Exchange, pieces: AsyncIterable<Uint8Array>): Promise<unknown> {
    const text = await exchange.text(pieces, MAX_EVENT_LENGTH)
    const json = parseJson(text)
    if (json !== undefined) return json
    const { name, quote } = exchange.host
    throw new LMError('invalid_reply', `${name} sent a reply that is not JSON: ${quote(text, 80)}`)
  }

  /** Throws for a reply with an error status, unless the reply still contains the model's output. */
  async function readFailure({ request, exchange, reply }: Answer): Promise<LMResponse> {
    const body = await exchange.text(exchange.bytes(reply), MAX_ERROR_BYTES).catch(() => '')
    exchange.throwIfAborted()
    const json = parseJson(body)
    let cause: unknown
    // The wire format may throw for an unexpected body. The status must be reported even then.
    const attempt = <T>(read: (body: unknown) => T): T | undefined => {
      if (json === undefined) return undefined
      try {
        return read(json)
      } catch (thrown) {
        cause ??= thrown
        return undefined
      }
    }
    const response = attempt((found) => wire.decodeFailure?.(found, request, model, facts))
    if (response !== undefined && response.error === undefined) return response
    const error = attempt((found) => wire.decodeError?.(found))
    throw httpError({ reply, host: exchange.host, body, error, cause })
  }

  function decode(json: unknown, request: LMRequest, host: Host): LMResponse {
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw new LMError(
        'invalid_reply',
        `${host.name} sent a reply that is not a JSON object: ${host.quote(JSON.stringify(json), 80)}`,
      )
    const response = reading(() => wire.decode(json, request, model, facts), host)
    if (response.error) throw providerError(response.error, host)
    return response
  }

  /**
   * Converts errors that a wire format throws for an unexpected reply, because wire formats don't have to validate their input.
   */
  function reading<T>(read: () => T, host: Host): T {
    try {
      return read()
    } catch (cause) {
      const reason = host.quote(reasonOf(cause))
      throw new LMError('invalid_reply', `${host.name} sent a reply that wire format "${wire.name}" cannot read: ${reason}`, {
        cause,
      })
    }
  }

  return { whole, batches }
}

/** Maximum number of bytes to read from an error reply. */
const MAX_ERROR_BYTES = 1024 * 1024

function checked(delta: LMDelta, host: Host): LMDelta {
  if (delta.type === 'error') throw providerError(delta.error, host)
  return delta
}

/**
 * Returns false if a server or a proxy has sent something else than a stream, such as a complete reply or an HTML page. A single
 * line of JSON counts as NDJSON.
 */
function isStream({ headers, body }: Response, { framing }: WireFormat): boolean {
  const type = headers.get('content-type') ?? ''
  return body !== null && !type.includes('text/html') && (framing === 'ndjson' || !type.includes('application/json'))
}

/**
 * Returns true if the body starts like JSON or HTML, whatever its content type. No meaningful line of server-sent events starts
 * that way.
 */
function isDocument(first: string | undefined, { framing = 'sse' }: WireFormat): boolean {
  return framing === 'sse' && first !== undefined && '{[<'.includes(first)
}

/** Returns true if the connection broke, timed out, or ended inside an event. */
function isCutOff(error: unknown): boolean {
  if (!(error instanceof LMError)) return false
  return error.code === 'unreachable' || error.code === 'timeout' || (error.code === 'invalid_reply' && error.retryable)
}

export const FRAMINGS: Readonly<Record<Framing, CreateFrameReader>> = {
  sse: createSSEReader,
  ndjson: createNDJSONReader,
  'aws-event-stream': createAWSReader,
}

/** Parses JSON. Returns undefined if the text isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Opened {
  /** The first character other than white space. Undefined if there is none. */
  readonly first: string | undefined
  /** All pieces of the body, including the ones that were already inspected. The body is closed once they have been read. */
  readonly pieces: AsyncGenerator<Uint8Array>
}

/** Reads the start of a body to determine how to read the rest. */
async function lookAhead(body: AsyncGenerator<Uint8Array>): Promise<Opened> {
  let first: string | undefined
  const pieces = await openStream(body, (piece) => {
    first = new TextDecoder().decode(piece).trimStart()[0]
    return first !== undefined
  })
  return { first, pieces }
}
