/** Sends one request and reads its reply, with timeouts. Ends at once if the caller aborts. */
import { type DeadlineName, LMError } from '../errors.ts'
import { watchConnection } from './connection.ts'
import { type Deadlines, startTimer, timeoutError } from './deadlines.ts'
import { toLMError } from './failure.ts'
import type { Host } from './host.ts'

export interface ExchangeOptions {
  readonly host: Host
  readonly deadlines: Deadlines
  readonly signal?: AbortSignal | undefined
  /** True if the reply is expected to be a stream. */
  readonly isStreamed: boolean
}

/**
 * Progress of a reply while its body is read. `open`: more may follow. `complete`: the reply is complete, but the host may still
 * send data such as usage. `done`: the host has sent its end marker.
 */
export type Stage = 'open' | 'complete' | 'done'

/** A request and its reply. All methods reject with `LMError`. Always call `close` at the end. */
export class Exchange {
  readonly #deadlines: Deadlines
  readonly #caller: AbortSignal | undefined
  readonly #isStreamed: boolean
  readonly #controller = new AbortController()
  #host: Host
  #timer: ReturnType<typeof setTimeout> | undefined
  #waitingSince = 0
  /** Remaining time of the timeouts that span several waits, in milliseconds. */
  readonly #left: { content: number; total: number }
  #giveUp: (() => void) | undefined
  #hasStarted = false
  #isSigning = false
  #hasBegun = false

  constructor({ host, deadlines, signal, isStreamed }: ExchangeOptions) {
    this.#host = host
    this.#deadlines = deadlines
    this.#caller = signal
    this.#isStreamed = isStreamed
    this.#left = { content: deadlines.content, total: deadlines.total }
    signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** The host. Its `quote` redacts the keys that this request sent. */
  get host(): Host {
    return this.#host
  }

  /** Redacts the values of these headers from now on. */
  hide(headers: Readonly<Record<string, string>>): void {
    this.#host = this.#host.hiding(headers)
  }

  /** Calls the caller's signing function within the `first_byte` timeout. Rejects with the function's own error. */
  async sign<T>(make: () => T | Promise<T>): Promise<T> {
    this.#begin()
    this.#isSigning = true
    try {
      return await this.#hold((async () => make())())
    } catch (error) {
      throw this.#controller.signal.aborted ? this.#toError(error) : error
    } finally {
      this.#isSigning = false
    }
  }

  /** Resolves when the reply's headers arrive. */
  async send(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Response> {
    this.#begin()
    const { connect } = this.#deadlines
    let connecting: ReturnType<typeof setTimeout> | undefined
    const start = async () => fetch(url, { ...init, signal: this.#controller.signal })
    const [sending, stopWatching] = watchConnection(this.#host.name, start, (isConnecting) => {
      clearTimeout(connecting)
      if (isConnecting) connecting = startTimer(connect, () => this.#miss('connect', connect))
    })
    // A `fetch` that ignores the signal may still return a reply after this wait has ended.
    const drop = (late: Response) => void late.body?.cancel().catch(() => {})
    try {
      return await this.#hold(sending, drop)
    } catch (error) {
      throw this.#toError(error)
    } finally {
      stopWatching()
    }
  }

  /**
   * Yields the bytes of the body as they arrive. If the consumer stops early, the connection is closed, unless the host has
   * already sent its end marker.
   */
  async *bytes(reply: Response, stage: () => Stage = () => 'open'): AsyncGenerator<Uint8Array> {
    const reader = reply.body?.getReader()
    if (reader === undefined) return
    let length = 0
    let hasEnded = false
    try {
      for (;;) {
        if (this.#hasBegun) this.#start('silence', stage() === 'open' ? Infinity : AFTER_END_MS)
        const { done, value } = await this.#hold(reader.read())
        hasEnded = done
        if (done) return
        this.#stopWaiting()
        this.#hasBegun = true
        length += value.length
        if (length > MAX_BODY_BYTES) throw tooLong(this.#host, MAX_BODY_BYTES)
        yield value
      }
    } catch (error) {
      throw this.#toError(error)
    } finally {
      if (!hasEnded && stage() === 'done') drain(reader)
      else if (!hasEnded) reader.cancel().catch(() => {})
    }
  }

  /** Reads all pieces as text. Rejects with `invalid_reply` if there are more than `maxBytes`. */
  async text(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
    const decoder = new TextDecoder()
    const parts: string[] = []
    let length = 0
    for await (const bytes of pieces) {
      length += bytes.length
      if (length > maxBytes) throw tooLong(this.#host, maxBytes)
      parts.push(decoder.decode(bytes, { stream: true }))
    }
    return parts.join('') + decoder.decode()
  }

  /** Restarts the timeout for content. Messages that only keep the connection alive don't count as content. */
  extendContent(): void {
    this.#left.content = this.#deadlines.content
  }

  throwIfAborted(): void {
    if (this.#caller?.aborted) throw this.#toError(undefined)
  }

  close(): void {
    this.#stopWaiting()
    this.#caller?.removeEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => {
    this.#stop(this.#caller?.reason)
  }

  #begin(): void {
    this.throwIfAborted()
    if (!this.#hasStarted) this.#start('first_byte')
    this.#hasStarted = true
  }

  /** Starts a wait. Only time spent waiting for the host counts, not time until a stream's consumer asks for more. */
  #start(deadline: DeadlineName, atMost = Infinity): void {
    this.#stopWaiting()
    this.#waitingSince = performance.now()
    let first = deadline
    let ms = Math.min(this.#deadlines[deadline], atMost)
    const { total, content } = this.#left
    if (total < ms) [first, ms] = ['total', total]
    if (deadline === 'silence' && content < ms) [first, ms] = ['content', content]
    this.#timer = startTimer(ms, () => this.#miss(first, first === deadline ? ms : this.#deadlines[first]))
  }

  #stopWaiting(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    const waited = performance.now() - this.#waitingSince
    this.#left.total -= waited
    if (this.#hasBegun) this.#left.content -= waited
  }

  #miss(deadline: DeadlineName, ms: number): void {
    const [host, isStreamed, isSigning] = [this.#host, this.#isStreamed, this.#isSigning]
    this.#stop(timeoutError({ deadline, ms, host, isStreamed, isSigning }))
  }

  #stop(reason: unknown): void {
    this.#controller.abort(reason)
    this.#giveUp?.()
  }

  /**
   * Resolves or rejects as the promise does. Rejects earlier if the exchange is stopped. If the promise resolves after that, its
   * value is passed to `drop`.
   */
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
    const circumstances = { signal: this.#caller, isStreamed: this.#isStreamed }
    return toLMError(reason instanceof LMError ? reason : error, this.#host, circumstances)
  }
}

function tooLong({ name }: Host, maxBytes: number): LMError {
  return new LMError('invalid_reply', `${name} sent a reply of more than ${maxBytes} bytes.`)
}

/** Maximum size of a body in bytes, including a stream's framing. The longest known replies are about 20 MB. */
const MAX_BODY_BYTES = 128 * 1024 * 1024
/** Maximum time to wait for data that a host sends after a complete reply, in milliseconds. This data is mostly usage. */
const AFTER_END_MS = 2000

/**
 * Reads the rest of the body in the background, because a connection is reused only if its body was read to the end. Never
 * throws.
 */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const cancel = () => reader.cancel().catch(() => {})
  const timer: { unref?(): unknown } | number = setTimeout(cancel, LONGEST_MS)
  // In Node, a timer is an object with `unref`. The timer must not keep the process alive.
  if (typeof timer === 'object') timer.unref?.()
  try {
    for (let pieces = 0; pieces < MOST_PIECES; pieces++) if ((await reader.read()).done) return
  } catch {
    // The reply is complete, so it doesn't matter how its connection ends.
  } finally {
    clearTimeout(timer as number)
    cancel()
  }
}

const LONGEST_MS = 1000
/** Maximum number of pieces to read. Limits the work for an endless body. */
const MOST_PIECES = 64
