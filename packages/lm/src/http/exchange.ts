/** One request and its reply: held to the deadlines, and over at once when the caller gives up. */
import { type DeadlineName, LMError } from '../errors.ts'
import { watchConnection } from './connection.ts'
import { type Deadlines, startTimer, timeoutError } from './deadlines.ts'
import { toLMError } from './failure.ts'
import type { Host } from './host.ts'

export interface ExchangeOptions {
  readonly host: Host
  readonly deadlines: Deadlines
  readonly signal?: AbortSignal | undefined
}

/** Everything rejects with `LMError`. To be closed in the end, whatever has happened. */
export class Exchange {
  readonly #host: Host
  readonly #deadlines: Deadlines
  readonly #caller: AbortSignal | undefined
  readonly #controller = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #giveUp: (() => void) | undefined
  #hasBegun = false

  constructor({ host, deadlines, signal }: ExchangeOptions) {
    this.#host = host
    this.#deadlines = deadlines
    this.#caller = signal
    signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Resolves with the head of the reply. */
  async send(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Response> {
    this.throwIfAborted()
    this.#start('first_byte')
    let connecting: ReturnType<typeof setTimeout> | undefined
    const start = async () => fetch(url, { ...init, signal: this.#controller.signal })
    const [sending, stopWatching] = watchConnection(this.#host.name, start, (isConnecting) => {
      clearTimeout(connecting)
      if (isConnecting) connecting = startTimer(this.#deadlines.connect, () => this.#miss('connect'))
    })
    // A `fetch` that does not listen to the signal may still answer when nobody waits.
    const drop = (late: Response) => void late.body?.cancel().catch(() => {})
    try {
      return await this.#hold(sending, drop)
    } catch (error) {
      throw this.#toError(error)
    } finally {
      stopWatching()
    }
  }

  /** The bytes of the body as they come; leaving early closes the connection. */
  async *bytes(reply: Response): AsyncGenerator<Uint8Array> {
    const reader = reply.body?.getReader()
    if (reader === undefined) return
    try {
      for (;;) {
        if (this.#hasBegun) this.#start('silence')
        const { done, value } = await this.#hold(reader.read())
        if (done) return
        clearTimeout(this.#timer)
        this.#hasBegun = true
        yield value
      }
    } catch (error) {
      throw this.#toError(error)
    } finally {
      reader.cancel().catch(() => {})
    }
  }

  /** The whole body; a longer one is an `invalid_reply`. */
  async text(reply: Response, maxBytes: number): Promise<string> {
    const decoder = new TextDecoder()
    const parts: string[] = []
    let length = 0
    for await (const bytes of this.bytes(reply)) {
      length += bytes.length
      if (length > maxBytes) throw new LMError('invalid_reply', `${this.#host.name} sent a reply of more than ${maxBytes} bytes.`)
      parts.push(decoder.decode(bytes, { stream: true }))
    }
    return parts.join('') + decoder.decode()
  }

  throwIfAborted(): void {
    if (this.#caller?.aborted) throw toLMError(undefined, this.#host, this.#caller)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#caller?.removeEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => {
    this.#stop(this.#caller?.reason)
  }

  #start(deadline: DeadlineName): void {
    clearTimeout(this.#timer)
    this.#timer = startTimer(this.#deadlines[deadline], () => this.#miss(deadline))
  }

  #miss(deadline: DeadlineName): void {
    this.#stop(timeoutError(deadline, this.#deadlines[deadline], this.#host))
  }

  #stop(reason: unknown): void {
    this.#controller.abort(reason)
    this.#giveUp?.()
  }

  /** Settles as the promise does, unless the exchange is stopped before; then `drop` takes what it resolves with. */
  #hold<T>(promise: Promise<T>, drop: (late: T) => void = () => {}): Promise<T> {
    const { signal } = this.#controller
    return new Promise((resolve, reject) => {
      this.#giveUp = () => reject(signal.reason)
      if (signal.aborted) this.#giveUp()
      promise.then((value) => (signal.aborted ? drop(value) : resolve(value)), reject)
    })
  }

  #toError(error: unknown): LMError {
    const { reason } = this.#controller.signal
    return toLMError(reason instanceof LMError ? reason : error, this.#host, this.#caller)
  }
}
