/** A `fetch` that refuses messages above a size limit. */
import { TOO_LARGE } from './lost.ts'

/** Thrown when a response body exceeds the limit. Also passed to `onExcess`, because the transport ignores some errors. */
export class ExcessError extends Error {
  readonly data = TOO_LARGE
}

/**
 * Limits the size of a response, in bytes. For an event stream that answers a request for one, limits each event instead, because
 * a stream may stay open for days. `onExcess` receives the body of the request whose response is too large.
 */
export function limitedFetch(fetcher: typeof fetch, maxBytes: number, onExcess: (request: unknown) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetcher(input, init)
    if (response.body === null) return response
    const size = isStream(response, init) ? new EventSize() : new BodySize()
    const reader = response.body.getReader()
    const limited = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          if (size.add(value) <= maxBytes) return controller.enqueue(value)
          onExcess(init?.body)
          const error = new ExcessError(`The server's message is larger than ${maxBytes} bytes.`)
          void reader.cancel(error).catch(() => {})
          throw error
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    )
    const { status, statusText, headers } = response
    const whole = new Response(limited, { status, statusText, headers })
    Object.defineProperty(whole, 'url', { value: response.url })
    return whole
  }
}

const EVENTS = 'text/event-stream'

/**
 * Returns true for a response that the SDK reads event by event. It reads any other as a whole, whatever its type: an error, the
 * answer to a notification, and metadata.
 */
function isStream({ status, headers }: Response, init: RequestInit | undefined): boolean {
  if (status !== 200 || headers.get('content-type')?.startsWith(EVENTS) !== true) return false
  if (new Headers(init?.headers).get('accept')?.includes(EVENTS) !== true) return false
  return init?.body == null || idsIn(init.body).length > 0
}

/** Returns the ids of the requests in the body of an HTTP request. Notifications and answers have none. */
export function idsIn(body: unknown): readonly (string | number)[] {
  return messagesIn(body).flatMap((message) => (message?.method === undefined ? [] : (message.id ?? [])))
}

/** Returns the JSON-RPC messages in the body of an HTTP request. An entry that isn't an object has no fields. */
export function messagesIn(body: unknown): readonly (Message | null)[] {
  if (typeof body !== 'string') return []
  try {
    return [JSON.parse(body)].flat()
  } catch {
    return []
  }
}

interface Message {
  readonly id?: string | number
  readonly method?: string
}

class BodySize {
  #bytes = 0

  add(chunk: Uint8Array): number {
    this.#bytes += chunk.length
    return this.#bytes
  }
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** Measures server-sent events. An event ends with an empty line and may have any number of lines. */
class EventSize {
  #event = 0
  #line = 0
  #last: number | undefined

  /** Returns the size of the largest event in this chunk. The first one includes the bytes that arrived in earlier chunks. */
  add(chunk: Uint8Array): number {
    let largest = 0
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const line = this.#line + end - start
      const last = end > start ? chunk[end - 1] : this.#last
      this.#event += end + 1 - start
      largest = Math.max(largest, this.#event)
      if (line === 0 || (line === 1 && last === CARRIAGE_RETURN)) this.#event = 0
      this.#line = 0
      start = end + 1
    }
    this.#line += chunk.length - start
    this.#event += chunk.length - start
    this.#last = chunk.at(-1)
    return Math.max(largest, this.#event)
  }
}
