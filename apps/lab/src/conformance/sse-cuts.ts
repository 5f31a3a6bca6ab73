/** Streams of server-sent events, cut into pieces at random places and read by the reader of `@x/lm`. */
import type { WireFormat } from '@x/adapters/wire'
import { createLM } from '@x/lm'

export const CUTTINGS = 20

/** The events of a body that arrives in these pieces. Rejects with the reader's error. */
export async function readEvents(pieces: readonly Uint8Array[]): Promise<readonly unknown[]> {
  const events: unknown[] = []
  const recorder: WireFormat = {
    name: 'recorder',
    path: '/',
    encode: () => ({}),
    decode: () => ({ text: '', toolCalls: [] }),
    streamDecoder: () => ({
      push(event) {
        events.push(event)
        return [{ type: 'finish', finish: 'stop' }]
      },
      end: () => [],
    }),
  }
  const headers = { 'content-type': 'text/event-stream' }
  const fetch = async () => new Response(toStream(pieces), { headers })
  const stream = createLM({ wire: recorder, baseURL: 'http://localhost', model: 'none', fetch }).stream({ messages: [] })
  for await (const _ of stream);
  return events
}

/** All pieces wait in it: a source that is asked for each one is slower. */
function toStream(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
}

/** The same pieces for the same number of the cutting: 0 is byte by byte, later ones are longer, up to 1 KiB. */
export function cutBytes(bytes: Uint8Array, cutting: number): readonly Uint8Array[] {
  const random = createRandom(cutting + 1)
  const longest = 4 ** Math.min(cutting, 5)
  const pieces: Uint8Array[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = start + 1 + Math.floor(random() * longest)
    pieces.push(bytes.subarray(start, end))
    start = end
  }
  return pieces
}

/** The chunks of a recorded stream as a host would send them: an event name is kept as `_event`. */
export function toSSE(chunks: readonly unknown[]): Uint8Array {
  const events = chunks.map((chunk) => {
    const { _event: name, ...data } = chunk as { readonly _event?: string }
    return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
  })
  return new TextEncoder().encode(`${events.join('')}data: [DONE]\n\n`)
}

/** Numbers from 0 to 1, by a linear congruence: enough to choose places. */
function createRandom(seed: number): () => number {
  // Neighbouring seeds would begin alike.
  let state = Math.imul(seed, 0x9e37_79b1)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
