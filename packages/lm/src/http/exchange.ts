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
  /** The reply is asked for as a stream. */
  readonly isStreamed: boolean
}

/**
 * How far a reply is while its body is read: it may go on, it is complete and its host may still add to it, or its host has said
 * that nothing follows.
 */
export type Stage = 'open' | 'complete' | 'done'

/** Everything rejects with `LMError`. To be closed in the end, whatever has happened. */
export class Exchange {
  readonly #deadlines: Deadlines
  readonly #caller: AbortSignal | undefined
  readonly #isStreamed: boolean
  readonly #controller = new AbortController()
  #host: Host
  #timer: ReturnType<typeof setTimeout> | undefined
  #waitingSince = 0
  /** Of the deadlines that go on over several waits, in milliseconds. */
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

  /** Quotes without the keys of this request. */
  get host(): Host {
    return this.#host
  }

  /** Takes for keys what these headers hold. */
  hide(headers: Readonly<Record<string, string>>): void {
    this.#host = this.#host.hiding(headers)
  }

  /** What the caller's own function makes for the request, or whatever it throws; it may take as long as the first byte. */
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

  /** Resolves with the head of the reply. */
  async send(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Response> {
    this.#begin()
    const { connect } = this.#deadlines
    let connecting: ReturnType<typeof setTimeout> | undefined
    const start = async () => fetch(url, { ...init, signal: this.#controller.signal })
    const [sending, stopWatching] = watchConnection(this.#host.name, start, (isConnecting) => {
      clearTimeout(connecting)
      if (isConnecting) connecting = startTimer(connect, () => this.#miss('connect', connect))
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

  /** The bytes of the body as they come; leaving early closes the connection, unless the host has said that nothing follows. */
  async *bytes(reply: Response, stage: () => Stage = () => 'open'): AsyncGenerator<Uint8Array> {
    const reader = reply.body?.getReader()
    if (reader === undefined) return
    let length = 0
    try {
      for (;;) {
        if (this.#hasBegun) this.#start('silence', stage() === 'open' ? Infinity : AFTER_END_MS)
        const { done, value } = await this.#hold(reader.read())
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
      if (stage() === 'done') drain(reader)
      else reader.cancel().catch(() => {})
    }
  }

  /** The whole of these pieces; a longer one is an `invalid_reply`. */
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

  /** The reply says something: signs of life alone don't keep it going. */
  heard(): void {
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

  /** Only what the host takes counts: not the time until the reader of a stream asks for more. */
  #start(deadline: DeadlineName, atMost = Infinity): void {
    this.#stopWaiting()
    this.#waitingSince = performance.now()
    const waits: [DeadlineName, number][] = [
      [deadline, Math.min(this.#deadlines[deadline], atMost)],
      ['total', this.#left.total],
    ]
    if (deadline === 'silence') waits.push(['content', this.#left.content])
    const [first, ms] = waits.reduce((least, wait) => (wait[1] < least[1] ? wait : least))
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
    const circumstances = { signal: this.#caller, isStreamed: this.#isStreamed }
    return toLMError(reason instanceof LMError ? reason : error, this.#host, circumstances)
  }
}

function tooLong({ name }: Host, maxBytes: number): LMError {
  return new LMError('invalid_reply', `${name} sent a reply of more than ${maxBytes} bytes.`)
}

/** Of a stream, its framing included. The longest replies of today have some 20 MB. */
const MAX_BODY_BYTES = 128 * 1024 * 1024
/** What a host adds to a complete reply, usage mostly, is not waited for any longer. */
const AFTER_END_MS = 2000

/** Reads to the end of the body, without anybody waiting: a connection whose body is not read to its end is closed. Never throws. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const cancel = () => reader.cancel().catch(() => {})
  const timer: { unref?(): unknown } | number = setTimeout(cancel, LONGEST_MS)
  // In Node it is an object, and must not keep the process alive.
  if (typeof timer === 'object') timer.unref?.()
  try {
    for (let pieces = 0; pieces < MOST_PIECES; pieces++) if ((await reader.read()).done) return
  } catch {
    // How the connection of a complete reply ends does not matter.
  } finally {
    clearTimeout(timer as number)
    cancel()
  }
}

const LONGEST_MS = 1000
/** A body without an end would otherwise be read as fast as it comes. */
const MOST_PIECES = 64
