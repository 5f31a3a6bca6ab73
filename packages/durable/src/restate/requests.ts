/** Sends requests to the server. Retries while the server doesn't answer. */
import { once } from 'node:events'
import type { Report } from '../engine/options.ts'
import { engineClosed } from '../engine/run-errors.ts'
import { DurableError } from '../errors.ts'
import { startLimits } from './limits.ts'

export interface Answer {
  readonly status: number
  readonly text: string
}

export interface Question {
  readonly url: string
  /** Purpose of the request, for error messages, such as "query its tables". */
  readonly what: string
  readonly method?: string | undefined
  /** The body, as JSON text. */
  readonly body?: string | undefined
  /** Idempotency key. Of several requests with the same key, the server executes only the first. */
  readonly idempotencyKey?: string | undefined
  /** Accepts status 404 as an answer. */
  readonly isMissingFine?: boolean | undefined
  /** Uses a new connection. On a reused one, answers from the server's tables arrive 40 ms late because of delayed ACKs. */
  readonly isAlone?: boolean | undefined
  /** True for a long poll. If it isn't answered in time, it is repeated, which doesn't count as a failure. */
  readonly isLong?: boolean | undefined
  /** Stops waiting for the answer. */
  readonly signal?: AbortSignal | undefined
  /**
   * Returns true if the request should be repeated, because the answer may change soon. For example, the server may still be
   * starting.
   */
  isLater?(answer: Answer): boolean
}

export interface AskOptions {
  readonly patienceMs: number
  /** Headers for each request. */
  readonly headers: Readonly<Record<string, string>>
  /** Aborted when the engine is closed. */
  readonly signal: AbortSignal
  readonly report: Report
}

/**
 * Resolves to the first answer for which `isLater` isn't true. Rejects with `engine_failed`, with `closed` if the engine is
 * closed, and with the reason of the request's signal.
 */
export async function ask(question: Question, options: AskOptions): Promise<Answer> {
  const { patienceMs, signal, report } = options
  const { url, what, method, body, idempotencyKey: key, isAlone = false, isLong = false, isLater } = question
  const headers = {
    ...options.headers,
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(isAlone ? { connection: 'close' } : {}),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  let begin = Date.now()
  let reportedOf: number | undefined
  for (let wait = 20; ; wait = Math.min(wait * 2, 1000)) {
    assertWanted(signal, question)
    const attemptBegin = Date.now()
    const limits = startLimits([signal, question.signal], isLong ? LONG_POLL : Math.max(patienceMs, 1))
    let problem: { readonly words: string; readonly cause?: unknown }
    let isAway = true
    try {
      const response = await fetch(url, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers,
        // With a redirect, the headers could be sent to another host.
        redirect: 'manual',
        ...(body === undefined ? {} : { body }),
        signal: limits.signal,
      })
      const answer = { status: response.status, text: await response.text() }
      const { status, text } = answer
      isAway = status === 502 || status === 503 || status === 504 || status === 429
      if (!isAway && isLater?.(answer) !== true) return answer
      problem = { words: `${status} ${text.slice(0, 500)}` }
    } catch (cause) {
      assertWanted(signal, question)
      problem = { words: wordsOf(cause), cause }
    } finally {
      limits.end()
    }
    // The server was reachable in between, so the time limit starts again.
    if (isLong && Date.now() - attemptBegin > 1000) begin = Date.now()
    if (isLong && limits.isLate()) continue
    const failure = failed(url, what, problem.words, problem.cause)
    if (Date.now() + wait - begin > patienceMs) throw failure
    // Each outage is reported only once.
    if (isAway && reportedOf !== begin) report(failure)
    if (isAway) reportedOf = begin
    await pause(wait, [signal, question.signal])
  }
}

/** Timeout of a long poll, in milliseconds. Shorter than the timeout of `fetch`. */
const LONG_POLL = 120_000

export function failed(url: string, what: string, words: string, cause?: unknown): DurableError {
  const { origin } = new URL(url)
  return new DurableError('engine_failed', `The Restate server at ${origin} could not ${what}: ${words}`, { cause })
}

function assertWanted(signal: AbortSignal, question: Question): void {
  if (signal.aborted) throw engineClosed()
  question.signal?.throwIfAborted()
}

function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  // The message of `fetch` lacks the reason, which is in the cause.
  const { cause: inner } = cause
  return inner instanceof Error && inner.message !== '' ? inner.message : cause.message
}

/** Waits for this many milliseconds. Resolves early if a signal is aborted. */
async function pause(ms: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const limits = startLimits(signals, ms)
  if (!limits.signal.aborted) await once(limits.signal, 'abort')
  limits.end()
}
