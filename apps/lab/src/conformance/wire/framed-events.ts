/** Encodes the events of a streamed reply in the way that a host sends them, and decodes them with `@x/lm`. */
import { EventStreamCodec } from '@smithy/eventstream-codec'
import type { Framing, WireFormat } from '@x/adapters/wire'
import { createLM } from '@x/lm'

/** Returns the events of a body that arrives in these pieces. Rejects with the error of `@x/lm`. */
export async function readEvents(pieces: readonly Uint8Array[], framing: Framing = 'sse'): Promise<readonly unknown[]> {
  const events: unknown[] = []
  const recorder: WireFormat = {
    name: 'recorder',
    path: '/',
    framing,
    encode: () => ({}),
    decode: () => ({ text: '', toolCalls: [] }),
    streamDecoder: () => ({
      push(event) {
        events.push(event)
        return [{ type: 'finish', finishReason: 'stop' }]
      },
      end: () => [],
    }),
  }
  const headers = { 'content-type': CONTENT_TYPES[framing] }
  const fetch = async () => new Response(toStream(pieces), { headers })
  const options = { wire: recorder, baseURL: 'http://localhost', model: 'none', fetch, retries: 0 }
  for await (const _ of createLM(options).stream({ messages: [] }));
  return events
}

const CONTENT_TYPES: Readonly<Record<Framing, string>> = {
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson',
  'aws-event-stream': 'application/vnd.amazon.eventstream',
}

const BATCH = 1000

/**
 * Returns a stream of the pieces. Enqueues them in batches: pulling every piece separately is slow, and one long queue is even slower.
 */
function toStream(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let next = 0
  return new ReadableStream({
    pull(controller) {
      for (const piece of pieces.slice(next, next + BATCH)) controller.enqueue(piece)
      next += BATCH
      if (next >= pieces.length) controller.close()
    },
  })
}

/** Encodes the chunks of a recorded stream in the framing. */
export function toBytes(chunks: readonly unknown[], framing: Framing = 'sse'): Uint8Array {
  return WRITERS[framing](chunks)
}

const WRITERS: Readonly<Record<Framing, (chunks: readonly unknown[]) => Uint8Array>> = {
  sse: (chunks) => encode(`${chunks.map(toServerSentEvent).join('')}data: [DONE]\n\n`),
  ndjson: (chunks) => encode(chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join('')),
  'aws-event-stream': (chunks) => new Uint8Array(Buffer.concat(chunks.map(toMessage))),
}

/** Encodes a recorded chunk as a server-sent event. Its field `_event` is the name of the event. */
function toServerSentEvent(chunk: unknown): string {
  const { _event: name, ...data } = chunk as { readonly _event?: string }
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** Encodes a recorded chunk as an AWS event. A chunk is `{ [name]: payload }`. A name that ends with `Exception` marks an exception. */
function toMessage(chunk: unknown): Uint8Array {
  const [name = '', payload] = Object.entries(chunk as object)[0] ?? []
  const type = name.endsWith('Exception') ? 'exception' : 'event'
  const headers = { ':message-type': text(type), [`:${type}-type`]: text(name), ':content-type': text('application/json') }
  return CODEC.encode({ headers, body: encode(JSON.stringify(payload)) })
}

const text = (value: string) => ({ type: 'string' as const, value })
const encode = (words: string) => new TextEncoder().encode(words)
const CODEC = new EventStreamCodec((bytes) => new TextDecoder().decode(bytes as Uint8Array), encode)
