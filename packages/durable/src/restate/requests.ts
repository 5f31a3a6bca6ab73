/** Asks the server, again and again while it does not answer. */
import { DurableError } from '../errors.ts'
import { engineClosed } from '../run-errors.ts'

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
  /** True of an answer that may be another one later, such as that of a server that is starting. */
  isLater?(answer: Answer): boolean
}

/** Gives what `isLater` does not say of. Rejects with `engine_failed`, and with `closed` when the signal fires. */
export async function ask(question: Question, patienceMs: number, signal: AbortSignal): Promise<Answer> {
  const { url, what, method, body, idempotencyKey: key, isAlone = false, isLong = false, isLater } = question
  const headers = {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(isAlone ? { connection: 'close' } : {}),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  let begin = Date.now()
  for (let wait = 20; ; wait = Math.min(wait * 2, 1000)) {
    assertOpen(signal)
    const attemptBegin = Date.now()
    const timeout = AbortSignal.timeout(isLong ? LONG_POLL : Math.max(patienceMs, 1))
    let problem: { readonly words: string; readonly cause?: unknown }
    try {
      const response = await fetch(url, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers,
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.any([timeout, signal]),
      })
      const answer = { status: response.status, text: await response.text() }
      const { status, text } = answer
      const isDown = status === 502 || status === 503 || status === 504 || status === 429
      if (!isDown && isLater?.(answer) !== true) return answer
      problem = { words: `${status} ${text.slice(0, 500)}` }
    } catch (cause) {
      assertOpen(signal)
      problem = { words: wordsOf(cause), cause }
    }
    // It had been there.
    if (isLong && Date.now() - attemptBegin > 1000) begin = Date.now()
    if (isLong && timeout.aborted) continue
    if (Date.now() + wait - begin > patienceMs) throw failed(url, what, problem.words, problem.cause)
    await pause(wait, signal)
  }
}

/** Less than what `fetch` waits for an answer. */
const LONG_POLL = 120_000

export function failed(url: string, what: string, words: string, cause?: unknown): DurableError {
  const { origin } = new URL(url)
  return new DurableError('engine_failed', `The Restate server at ${origin} could not ${what}: ${words}`, { cause })
}

function assertOpen(signal: AbortSignal): void {
  if (signal.aborted) throw engineClosed()
}

function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  // What fetch says is only that it failed.
  const { cause: inner } = cause
  return inner instanceof Error && inner.message !== '' ? inner.message : cause.message
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
