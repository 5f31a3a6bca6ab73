/** How long a request waits for what: the caller's options, checked. */
import { assertObject } from '../check-options.ts'
import { type DeadlineName, LMError } from '../errors.ts'
import type { Host } from './host.ts'

/** In milliseconds; `Infinity` for no limit. */
export interface DeadlineOptions {
  /** Until the host has taken the connection: 10 s. Node's own `fetch` gives up after 10 s by itself, so more is of no use there. */
  readonly connectMs?: number | undefined
  /**
   * From the start, a signature included, to the first byte of the reply's body. Default: 600 s. A reply that isn't streamed begins when
   * the model is done; it may be paid for, so it isn't requested again. Node's own `fetch` gives up after 300 s without the reply's head,
   * with the same error: for more, stream, or pass a `fetch` whose dispatcher has a longer `headersTimeout`.
   */
  readonly firstByteMs?: number | undefined
  /** From one byte of the body to the next. Default: 60 s. Node's own `fetch` gives up after 300 s. */
  readonly silenceMs?: number | undefined
  /** From one delta of a stream to the next, whatever else its host sends: pings, comments, empty chunks. Default: 600 s. */
  readonly contentMs?: number | undefined
  /** From the start to the end of the reply, without the time that the reader of a stream takes. Default: 1800 s. */
  readonly totalMs?: number | undefined
}

export type Deadlines = Readonly<Record<DeadlineName, number>>

export function readDeadlines(options: DeadlineOptions = {}): Deadlines {
  assertObject('createLM', 'deadlines', options, '{ connectMs, firstByteMs, silenceMs, contentMs, totalMs }')
  const { connectMs, firstByteMs, silenceMs, contentMs, totalMs } = options
  return {
    connect: checked('connectMs', connectMs ?? 10_000),
    first_byte: checked('firstByteMs', firstByteMs ?? 600_000),
    silence: checked('silenceMs', silenceMs ?? 60_000),
    content: checked('contentMs', contentMs ?? 600_000),
    total: checked('totalMs', totalMs ?? 1_800_000),
  }
}

function checked(name: string, ms: number): number {
  if (typeof ms === 'number' && ms > 0) return ms
  throw new TypeError(`createLM: deadlines.${name} is ${String(ms)}. Write milliseconds above 0, or Infinity for no limit.`)
}

const WORDS: Readonly<Record<DeadlineName, (host: string, time: string) => string>> = {
  connect: (host, time) => `Cannot reach ${host}: no connection after ${time}`,
  first_byte: (host, time) => `${host} sent no reply for ${time}`,
  silence: (host, time) => `${host} fell silent in the middle of its reply for ${time}`,
  content: (host, time) => `${host} kept the reply open for ${time}, but sent no part of it`,
  total: (host, time) => `${host} didn't finish its reply within ${time}`,
}

export interface Timeout {
  readonly deadline: DeadlineName
  /** How long it was waited for. */
  readonly ms: number
  readonly host: Host
  readonly isStreamed: boolean
  /** Nothing has been sent yet: the caller's own `sign` is what takes so long. */
  readonly isSigning: boolean
}

export function timeoutError({ deadline, ms, host, isStreamed, isSigning }: Timeout): LMError {
  const time = ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`
  const words = isSigning ? `Cannot sign the request to ${host.name}: no signature for ${time}` : WORDS[deadline](host.name, time)
  return new LMError('timeout', `${words}.`, { deadline, retryable: !isSigning && mayPass(deadline, isStreamed) })
}

/** A model that does not stream may have done all its work, which is paid for, when the time of its reply is over. */
export function mayPass(deadline: DeadlineName, isStreamed: boolean): boolean {
  return deadline === 'connect' || (isStreamed && deadline !== 'total')
}

/** A timer that is late calls once; one of more than 24 days would call at once, so there is none. */
export function startTimer(ms: number, late: () => void): ReturnType<typeof setTimeout> | undefined {
  return ms < 2 ** 31 ? setTimeout(late, ms) : undefined
}
