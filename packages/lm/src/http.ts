/** One HTTP request to a model's host, with failures as errors that name the host and the cause. */
import { LMError } from './errors.ts'

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly fetch: typeof globalThis.fetch
  readonly signal?: AbortSignal | undefined
  /** The provider's words in the body of a failed reply. */
  readonly readError: (body: unknown) => string | undefined
}

/** Posts JSON. Rejects with `aborted`, `unreachable` or `http_error`; a resolved reply has an OK status. */
export async function post({ url, headers, body, fetch, signal, readError }: Post): Promise<Response> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
  const reply = await fetch(url, signal ? { ...init, signal } : init).catch((cause: unknown) => {
    throw toLMError(cause, hostOf(url), signal)
  })
  if (reply.ok) return reply
  const text = await reply.text().catch(() => '')
  const words = readError(parseJson(text)) ?? text.trim().slice(0, 200)
  const detail = words === '' ? '' : `: ${words.replace(/\s+/g, ' ')}`
  throw new LMError('http_error', `${hostOf(url)} answered ${reply.status}${detail}`, { status: reply.status })
}

/** Anything thrown while talking to a host, as an `LMError`. */
export function toLMError(error: unknown, host: string, signal?: AbortSignal): LMError {
  if (error instanceof LMError) return error
  if (signal?.aborted) return new LMError('aborted', `The request to ${host} was aborted.`, { cause: signal.reason })
  return new LMError('unreachable', `Cannot reach ${host}: ${reasonOf(error)}`, { cause: error })
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url.slice(0, 100)
}

/** `fetch` hides the reason in causes; the innermost one with a code says most. */
function reasonOf(error: unknown): string {
  let reason = 'unknown cause'
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const { code } = cause as { code?: unknown }
    // Node gathers the failures of several addresses in an error without words of its own.
    const words =
      cause.message || (cause instanceof AggregateError && cause.errors[0] instanceof Error ? cause.errors[0].message : '')
    reason = typeof code === 'string' && !words.includes(code) ? `${words} (${code})`.trim() : words || reason
  }
  return reason.split('\n')[0] as string
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
