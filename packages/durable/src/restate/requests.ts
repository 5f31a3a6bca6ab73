/** Asks the server, again and again while it does not answer. */
import { once } from 'node:events'
import type { Tell } from '../engine/options.ts'
import { engineClosed } from '../engine/run-errors.ts'
import { DurableError } from '../errors.ts'
import { startLimits } from './limits.ts'

export interface Answer {
  readonly status: number
  readonly text: string
}

export interface Question {
  /** The server, and words for what is asked of it. */
  readonly url: string
  readonly what: string
  readonly method?: string | undefined
  /** JSON. */
  readonly body?: string | undefined
  /** Of several questions with one key the first is heard. */
  readonly idempotencyKey?: string | undefined
  /** 404 is an answer like others. */
  readonly isMissingFine?: boolean | undefined
  /** Over a connection of its own: the tables of the server answer 40 ms late over one that was used before (delayed ACK). */
  readonly isAlone?: boolean | undefined
  /** That there is no answer for long is no failure: it is asked again then. */
  readonly isLong?: boolean | undefined
  /** The answer is not waited for any more. */
  readonly signal?: AbortSignal | undefined
  /** True of an answer that may be another one later, such as that of a server that is starting. */
  isLater?(answer: Answer): boolean
}

export interface AskOptions {
  readonly patienceMs: number
  /** Of each request. */
  readonly headers: Readonly<Record<string, string>>
  /** Fires when the engine is closed. */
  readonly signal: AbortSignal
  readonly tell: Tell
}

/**
 * Gives what `isLater` does not say of. Rejects with `engine_failed`, with `closed` when the engine was closed, and with the reason of the
 * signal of the question.
 */
export async function ask(question: Question, options: AskOptions): Promise<Answer> {
  const { patienceMs, signal, tell } = options
  const { url, what, method, body, idempotencyKey: key, isAlone = false, isLong = false, isLater } = question
  const headers = {
    ...options.headers,
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(isAlone ? { connection: 'close' } : {}),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  let begin = Date.now()
  let toldOf: number | undefined
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
    // It had been there.
    if (isLong && Date.now() - attemptBegin > 1000) begin = Date.now()
    if (isLong && limits.isLate()) continue
    const failure = failed(url, what, problem.words, problem.cause)
    if (Date.now() + wait - begin > patienceMs) throw failure
    // Once while it is away.
    if (isAway && toldOf !== begin) tell(failure)
    if (isAway) toldOf = begin
    await pause(wait, [signal, question.signal])
  }
}

/** Less than what `fetch` waits for an answer. */
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
  // What fetch says is only that it failed.
  const { cause: inner } = cause
  return inner instanceof Error && inner.message !== '' ? inner.message : cause.message
}

/** Resolves early when a signal fires. */
async function pause(ms: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const limits = startLimits(signals, ms)
  if (!limits.signal.aborted) await once(limits.signal, 'abort')
  limits.end()
}
