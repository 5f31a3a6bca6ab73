/** Reads the timeouts of a request from the caller's options. */
import { assertObject } from '../check-options.ts'
import { type DeadlineName, LMError } from '../errors.ts'
import type { Host } from './host.ts'

/** Timeouts in milliseconds. Each must be above 0. `Infinity` disables a timeout. */
export interface DeadlineOptions {
  /**
   * Timeout for establishing the connection. Default: 10,000. A longer timeout has no effect with Node's own `fetch`, which gives
   * up after 10 seconds.
   */
  readonly connectMs?: number | undefined
  /**
   * Timeout for the first byte of the reply's body, measured from the start and including signing. Default: 600,000. Without
   * streaming, a reply starts only when the model has finished, and the host may already have billed it, so this timeout isn't
   * retried. Node's own `fetch` gives up with the same error if no headers arrive within 300 seconds. To wait longer, stream, or
   * pass a `fetch` whose dispatcher has a longer `headersTimeout`.
   */
  readonly firstByteMs?: number | undefined
  /**
   * Timeout for the next byte of the body, measured from the previous one. Default: 60,000. Node's own `fetch` gives up after 300
   * seconds.
   */
  readonly silenceMs?: number | undefined
  /**
   * Timeout for the next delta of a stream, measured from the previous one. Pings, comments and empty chunks don't count as
   * deltas. Default: 600,000.
   */
  readonly contentMs?: number | undefined
  /**
   * Timeout for the end of the reply, measured from the start. Time that a stream's consumer takes doesn't count. Default:
   * 1,800,000.
   */
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
  throw new TypeError(
    `createLM: deadlines.${name} must be a number of milliseconds above 0, or Infinity for no limit, got ${String(ms)}.`,
  )
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
  /** Time that the request waited, in milliseconds. */
  readonly ms: number
  readonly host: Host
  readonly isStreamed: boolean
  /** True if the caller's `sign` was still running, so that nothing had been sent. */
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
 * Returns true if a retry may help. Without streaming, the model may already have finished, and the host may have billed the
 * reply.
 */
export function mayPass(deadline: DeadlineName, isStreamed: boolean): boolean {
  return deadline === 'connect' || (isStreamed && deadline !== 'total')
}

/** Starts a timer. Returns undefined for a delay of more than 24 days, because `setTimeout` would fire at once. */
export function startTimer(ms: number, late: () => void): ReturnType<typeof setTimeout> | undefined {
  return ms < 2 ** 31 ? setTimeout(late, ms) : undefined
}
