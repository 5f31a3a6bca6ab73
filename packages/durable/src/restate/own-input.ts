/**
 * Reads the request of an attempt in place of the SDK. So a worker can end the request's body: the SDK then returns the run to the server,
 * and the server calls a worker again when the run can continue. A run that waits for days uses no connection, and doesn't count
 * toward the concurrency limit.
 */
import { randomUUID } from 'node:crypto'
import type { Http2ServerRequest } from 'node:http2'
import { type AttemptStart, readStart } from './start-message.ts'

/** Header that identifies an attempt's request. */
const HEADER = 'x-durable-attempt'

/** The request of one attempt. */
export class OwnInput {
  /** The start message of the attempt. Known before the run is executed. */
  start: AttemptStart | undefined
  readonly #ended: Promise<undefined>
  #end: () => void = () => {}

  constructor() {
    this.#ended = new Promise((resolve) => {
      this.#end = () => resolve(undefined)
    })
  }

  /** Ends the body. */
  end(): void {
    this.#end()
  }

  async *read(request: Http2ServerRequest): AsyncGenerator<Uint8Array> {
    const pieces: AsyncIterator<Uint8Array> = request[Symbol.asyncIterator]()
    for (;;) {
      const next = await Promise.race([pieces.next(), this.#ended])
      if (next === undefined || next.done === true) break
      this.start ??= readStart(next.value)
      yield next.value
    }
    // Discards the rest of the body. The connection stays open for the response.
    request.resume()
  }
}

export class OwnInputs {
  readonly #inputs = new Map<string, OwnInput>()

  /** Wraps a request. */
  watch(request: Http2ServerRequest): Http2ServerRequest {
    const attempt = randomUUID()
    const input = new OwnInput()
    this.#inputs.set(attempt, input)
    request.once('close', () => this.#inputs.delete(attempt))
    const headers = { ...request.headers, [HEADER]: attempt }
    return new Proxy(request, {
      get(target, key) {
        if (key === 'headers') return headers
        if (key === Symbol.asyncIterator) return () => input.read(target)
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  /** Returns the request with these headers. */
  of(headers: ReadonlyMap<string, string | string[] | undefined>): OwnInput | undefined {
    return this.#inputs.get(String(headers.get(HEADER)))
  }
}
