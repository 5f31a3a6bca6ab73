/**
 * Lets a worker end the request body of one attempt. The SDK then returns the run to the server, and the server calls a worker
 * again when the run can continue. So a run that waits for days uses no connection, and doesn't count toward the concurrency
 * limit.
 */
import { randomUUID } from 'node:crypto'
import type { Http2ServerRequest } from 'node:http2'

/** Header that identifies an attempt's request. */
const HEADER = 'x-durable-attempt'

export class OwnInputs {
  readonly #ends = new Map<string, () => void>()

  /** Wraps a request, so that `end` can end its body. */
  watch(request: Http2ServerRequest): Http2ServerRequest {
    const attempt = randomUUID()
    const ended = new Promise<undefined>((resolve) => this.#ends.set(attempt, () => resolve(undefined)))
    request.once('close', () => this.#ends.delete(attempt))
    const headers = { ...request.headers, [HEADER]: attempt }
    return new Proxy(request, {
      get(target, key) {
        if (key === 'headers') return headers
        if (key === Symbol.asyncIterator) return () => readUntil(target, ended)
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  /** Ends the request body of the attempt whose request has these headers. */
  end(headers: ReadonlyMap<string, string | string[] | undefined>): void {
    this.#ends.get(String(headers.get(HEADER)))?.()
  }
}

async function* readUntil(request: Http2ServerRequest, ended: Promise<undefined>): AsyncGenerator<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = request[Symbol.asyncIterator]()
  for (;;) {
    const next = await Promise.race([pieces.next(), ended])
    if (next === undefined || next.done === true) break
    yield next.value
  }
  // Discards the rest of the body. The connection stays open for the response.
  request.resume()
}
