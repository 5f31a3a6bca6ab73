/** A `fetch` that refuses messages above a size limit. */
import { TOO_LARGE } from './lost.ts'

/** The error of a body that is too large. The transport doesn't pass on all errors, so `onExcess` receives the body of the request. */
export class ExcessError extends Error {
  readonly data = TOO_LARGE
}

/** Limits the size of a response in bytes. For an event stream, limits each line, because a stream may stay open for days. */
export function limitedFetch(fetcher: typeof fetch, maxBytes: number, onExcess: (request: unknown) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetcher(input, init)
    if (response.body === null) return response
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
    let bytes = 0
    const limited = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes = isStream ? lineLength(bytes, chunk, maxBytes) : bytes + chunk.length
          if (bytes <= maxBytes) return controller.enqueue(chunk)
          onExcess(init?.body)
          controller.error(new ExcessError(`The server's message is larger than ${maxBytes} bytes.`))
        },
      }),
    )
    const { status, statusText, headers } = response
    const whole = new Response(limited, { status, statusText, headers })
    Object.defineProperty(whole, 'url', { value: response.url })
    return whole
  }
}

const LINE_FEED = 10

/** Returns the length of the longest line that ends in the chunk if it is above the limit, otherwise the length of the unfinished line. */
function lineLength(begun: number, chunk: Uint8Array, maxBytes: number): number {
  let start = 0
  for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
    if (begun + end - start > maxBytes) return begun + end - start
    begun = 0
    start = end + 1
  }
  return begun + chunk.length - start
}
