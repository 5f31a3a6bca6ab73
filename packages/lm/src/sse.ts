/** Server-sent events of an HTTP reply as parsed JSON. */
import { createParser, type EventSourceMessage, type ParseError } from 'eventsource-parser'
import { LMError } from './errors.ts'
import type { Host } from './host.ts'

/** An event longer than this is no event: 64 Mi UTF-16 units. */
const MAX_EVENT_LENGTH = 64 * 1024 * 1024

/**
 * The JSON of each event, in order. The closing `[DONE]` ends it at once, also when the host leaves the connection open;
 * `onDone` is called for it. Rejects with `invalid_reply` for an event that is no JSON.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  host: Host,
  onDone: () => void,
  maxEventLength = MAX_EVENT_LENGTH,
): AsyncGenerator<unknown> {
  const waiting: EventSourceMessage[] = []
  const onError = ({ type }: ParseError) => {
    if (type === 'max-buffer-size-exceeded') throw new LMError('invalid_reply', `${host.name} sent an event without an end.`)
  }
  const parser = createParser({ onEvent: (event) => waiting.push(event), onError, maxBufferSize: maxEventLength })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      // A last event may lack its empty line.
      if (done) parser.feed(`${decoder.decode()}\n\n`)
      else parser.feed(decoder.decode(value, { stream: true }))
      for (const { data } of waiting.splice(0)) {
        if (data.trim() === '[DONE]') return onDone()
        // Some proxies keep the connection alive by empty events.
        if (data.trim() !== '') yield parseEvent(data, host)
      }
      if (done) return
    }
  } finally {
    // The consumer may leave early; an open connection would stay.
    reader.cancel().catch(() => {})
  }
}

function parseEvent(data: string, host: Host): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw new LMError('invalid_reply', `${host.name} sent an event that is not JSON: ${host.quote(data, 80)}`)
  }
}
