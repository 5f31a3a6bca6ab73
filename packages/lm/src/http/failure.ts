/** What went wrong while talking to a host, as an `LMError` that says so in one line. */
import { type DeadlineName, LMError } from '../errors.ts'
import { mayPass } from './deadlines.ts'
import type { Host } from './host.ts'

/** Of the request that failed. */
export interface Circumstances {
  readonly signal?: AbortSignal | undefined
  readonly isStreamed: boolean
}

/** Anything thrown on the way. */
export function toLMError(error: unknown, host: Host, { signal, isStreamed }: Circumstances): LMError {
  if (signal?.aborted) return new LMError('aborted', `The request to ${host.name} was aborted.`, { cause: signal.reason })
  if (error instanceof LMError) return error
  const deadline = causesOf(error)
    .map(({ code }) => DEADLINES_OF_NODE.get(code))
    .find((name) => name !== undefined)
  const message = `Cannot reach ${host.name}: ${host.quote(reasonOf(error))}`
  const retryable = deadline === undefined || mayPass(deadline, isStreamed)
  return new LMError(deadline ? 'timeout' : 'unreachable', message, { cause: error, retryable, deadline })
}

/** Node's own `fetch` has limits too: 10 s for a connection, 300 s for the head of a reply and for a silence in its body. */
const DEADLINES_OF_NODE: ReadonlyMap<unknown, DeadlineName> = new Map([
  ['UND_ERR_CONNECT_TIMEOUT', 'connect'],
  ['UND_ERR_HEADERS_TIMEOUT', 'first_byte'],
  ['UND_ERR_BODY_TIMEOUT', 'silence'],
])

function causesOf(error: unknown): readonly (Error & { readonly code?: unknown })[] {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause) causes.push(cause)
  return causes
}

/** `fetch` hides the reason in causes; the innermost one with a code says most. */
export function reasonOf(error: unknown): string {
  let reason = 'unknown cause'
  for (const cause of causesOf(error)) {
    const { code } = cause
    // Node gathers the failures of several addresses in an error without words of its own.
    const words =
      cause.message || (cause instanceof AggregateError && cause.errors[0] instanceof Error ? cause.errors[0].message : '')
    reason = typeof code === 'string' && !words.includes(code) ? `${words} (${code})`.trim() : words || reason
  }
  return reason.split('\n')[0] as string
}
