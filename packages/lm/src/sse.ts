/** Server-sent events of an HTTP reply as parsed JSON. */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { LMError } from './errors.ts'

/** An event longer than this is no event: 64 Mi UTF-16 units. */
const MAX_EVENT_LENGTH = 64 * 1024 * 1024

/** The JSON of each event, in order; `onDone` is called for the closing `[DONE]`. Rejects with `invalid_reply` for an event that is no JSON. */
export async function* readEvents(body: ReadableStream<Uint8Array>, host: string, onDone: () => void): AsyncGenerator<unknown> {
  const waiting: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => waiting.push(event), maxBufferSize: MAX_EVENT_LENGTH })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      // A last event may lack its empty line.
      if (done) parser.feed(`${decoder.decode()}\n\n`)
      else parser.feed(decoder.decode(value, { stream: true }))
      for (const { data } of waiting.splice(0)) {
        if (data.trim() === '[DONE]') onDone()
        else yield parseEvent(data, host)
      }
      if (done) return
    }
  } finally {
    // The consumer may leave early; an open connection would stay.
    reader.cancel().catch(() => {})
  }
}

function parseEvent(data: string, host: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new LMError('invalid_reply', `${host} sent an event that is not JSON: ${data.slice(0, 80)}`, { cause })
  }
}
