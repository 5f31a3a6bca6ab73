/** The timeouts of a request, read from the caller's options. */
import { assertObject } from '../check-options.ts'
import { type DeadlineName, LMError } from '../errors.ts'
import type { Host } from './host.ts'

/** Timeouts in milliseconds. `Infinity` disables a timeout. */
export interface DeadlineOptions {
  /**
   * Deadline for establishing the connection. Default: 10 s. Node's own `fetch` gives up after 10 s anyway, so a longer time has no effect
   * there.
   */
  readonly connectMs?: number | undefined
  /**
   * Deadline for the first byte of the reply's body, counted from the start and including signing. Default: 600 s. Without streaming, a
   * reply starts only when the model is done. The host may already have billed it, so the request isn't repeated. Node's own `fetch` gives
   * up after 300 s without the reply's headers, with the same error. To wait longer, stream, or pass a `fetch` whose dispatcher has a
   * longer `headersTimeout`.
   */
  readonly firstByteMs?: number | undefined
  /** Deadline for the next byte of the body, counted from the previous one. Default: 60 s. Node's own `fetch` gives up after 300 s. */
  readonly silenceMs?: number | undefined
  /**
   * Deadline for the next delta of a stream, counted from the previous one. Pings, comments and empty chunks don't count as deltas.
   * Default: 600 s.
   */
  readonly contentMs?: number | undefined
  /** Deadline for the end of the reply, counted from the start. Time that the consumer of a stream takes doesn't count. Default: 1800 s. */
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
  throw new TypeError(`createLM: deadlines.${name} must be milliseconds above 0, or Infinity for no limit, got ${String(ms)}.`)
}

const WORDS: Readonly<Record<DeadlineName, (host: string, time: string) => string>> = {
  connect: (host, time) => `Cannot reach ${host}: no connection after ${time}`,
  first_byte: (host, time) => `${host} sent no reply within ${time}`,
  silence: (host, time) => `${host} stopped in the middle of its reply and sent nothing for ${time}`,
  content: (host, time) => `${host} kept the reply open for ${time} but sent no content`,
  total: (host, time) => `${host} didn't finish its reply within ${time}`,
}

export interface Timeout {
  readonly deadline: DeadlineName
  /** How long the request waited, in milliseconds. */
  readonly ms: number
  readonly host: Host
  readonly isStreamed: boolean
  /** True while the caller's `sign` is running, before anything is sent. */
  readonly isSigning: boolean
}

export function timeoutError({ deadline, ms, host, isStreamed, isSigning }: Timeout): LMError {
  const time = ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`
  const words = isSigning
    ? `Cannot sign the request to ${host.name}: sign returned no signature within ${time}`
    : WORDS[deadline](host.name, time)
  return new LMError('timeout', `${words}.`, { deadline, retryable: !isSigning && mayPass(deadline, isStreamed) })
}

/**
 * True if a retry may help. Without streaming, the model may have finished its work before the timeout, and the host may have billed it.
 */
export function mayPass(deadline: DeadlineName, isStreamed: boolean): boolean {
  return deadline === 'connect' || (isStreamed && deadline !== 'total')
}

/** Starts a timer. Doesn't start one for a delay of more than 24 days, because it would fire at once. */
export function startTimer(ms: number, late: () => void): ReturnType<typeof setTimeout> | undefined {
  return ms < 2 ** 31 ? setTimeout(late, ms) : undefined
}
