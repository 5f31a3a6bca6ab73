/** Converts failures of a request to `LMError`s with a message on one line. */
import { type DeadlineName, LMError } from '../errors.ts'
import { mayPass } from './deadlines.ts'
import type { Host } from './host.ts'

/** The state of a request when it failed. */
export interface Circumstances {
  readonly signal?: AbortSignal | undefined
  readonly isStreamed: boolean
}

/** Converts an error that was thrown during a request. */
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

/**
 * Error codes of the timeouts in Node's own `fetch`: 10 s for connecting, 300 s for the headers, and 300 s between bytes of the
 * body.
 */
const DEADLINES_OF_NODE: ReadonlyMap<unknown, DeadlineName> = new Map<unknown, DeadlineName>([
  ['UND_ERR_CONNECT_TIMEOUT', 'connect'],
  ['UND_ERR_HEADERS_TIMEOUT', 'first_byte'],
  ['UND_ERR_BODY_TIMEOUT', 'silence'],
])

function causesOf(error: unknown): readonly (Error & { readonly code?: unknown })[] {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause) causes.push(cause)
  return causes
}

/** Returns the message of the innermost cause that has an error code, because `fetch` hides the reason there. */
export function reasonOf(error: unknown): string {
  let reason = 'unknown cause'
  for (const cause of causesOf(error)) {
    const { code } = cause
    // If all of a host's addresses failed, Node's error has an empty message.
    const words =
      cause.message || (cause instanceof AggregateError && cause.errors[0] instanceof Error ? cause.errors[0].message : '')
    reason = typeof code === 'string' && !words.includes(code) ? `${words} (${code})`.trim() : words || reason
  }
  return reason.split('\n')[0] as string
}
