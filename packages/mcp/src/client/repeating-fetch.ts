/** A `fetch` that repeats a request whose connection was lost. A server may close an idle connection just when a request is sent over it. */
import { networkCodeOf } from './failure.ts'
import { messagesIn } from './limited-fetch.ts'

/** Error codes of lost connections. */
const LOST: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Repeats a request up to `times` times. Calls of tools aren't repeated here, because they may have been executed. */
export function repeatingFetch(fetcher: typeof fetch, times: number): typeof fetch {
  return async (input, init) => {
    for (let left = mayRepeat(input, init) ? times : 0; ; left--) {
      try {
        return await fetcher(input, init)
      } catch (error) {
        if (left <= 0 || !LOST.has(networkCodeOf(error))) throw error
      }
    }
  }
}

/** Returns true for a request of the protocol that is safe to repeat. A repeated `initialize` may leave an unused session. */
function mayRepeat(input: Parameters<typeof fetch>[0], { method = 'GET', body, headers }: RequestInit = {}): boolean {
  // A server accepts a DPoP proof only once (RFC 9449).
  if (input instanceof Request || new Headers(headers).has('dpop')) return false
  if (body == null) return method === 'GET' || method === 'DELETE'
  const messages = messagesIn(body)
  return messages.length > 0 && messages.every((message) => message?.method !== undefined && message.method !== 'tools/call')
}
