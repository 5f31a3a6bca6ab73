/** One HTTP request to a model's host, with failures as errors that name the host and the cause. */
import { LMError } from './errors.ts'
import type { Host } from './host.ts'

export interface Post {
  readonly url: string
  readonly host: Host
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly fetch: typeof globalThis.fetch
  readonly signal?: AbortSignal | undefined
  /** The provider's words in the body of a failed reply. */
  readonly readError: (body: unknown) => string | undefined
}

/** Posts JSON. Rejects with `aborted`, `unreachable` or `http_error`; a resolved reply has an OK status. */
export async function post({ url, host, headers, body, fetch, signal, readError }: Post): Promise<Response> {
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  try {
    const reply = await fetch(url, signal ? { ...init, signal } : init)
    if (reply.ok) return reply
    const error = httpError(reply.status, await reply.text().catch(() => ''), host, readError)
    signal?.throwIfAborted()
    throw error
  } catch (error) {
    throw toLMError(error, host, signal)
  }
}

function httpError(status: number, text: string, host: Host, readError: Post['readError']): LMError {
  const body = parseJson(text)
  const words = host.quote((body === undefined ? undefined : readError(body)) ?? text)
  return new LMError('http_error', `${host.name} answered ${status}${words && `: ${words}`}`, { status })
}

/** Anything thrown while talking to a host, as an `LMError`. */
export function toLMError(error: unknown, host: Host, signal?: AbortSignal): LMError {
  if (error instanceof LMError) return error
  if (signal?.aborted) return new LMError('aborted', `The request to ${host.name} was aborted.`, { cause: signal.reason })
  return new LMError('unreachable', `Cannot reach ${host.name}: ${host.quote(reasonOf(error))}`, { cause: error })
}

/** `fetch` hides the reason in causes; the innermost one with a code says most. */
export function reasonOf(error: unknown): string {
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
