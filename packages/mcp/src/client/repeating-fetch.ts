/** A `fetch` that repeats a request whose connection was lost. A server may close an idle connection just when a request is sent over it. */

/** Error codes of lost connections. */
const LOST: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Repeats a request up to `times` times. Calls of tools aren't repeated here, because they may have been executed. */
export function repeatingFetch(fetcher: typeof fetch, times: number): typeof fetch {
  return async (input, init) => {
    for (let left = isRepeatable(init?.body) ? times : 0; ; left--) {
      try {
        return await fetcher(input, init)
      } catch (error) {
        if (left <= 0 || !isLost(error)) throw error
      }
    }
  }
}

/** Returns true if the body is empty, or has only requests and notifications that change nothing when they are repeated. */
function isRepeatable(body: unknown): boolean {
  if (body == null) return true
  if (typeof body !== 'string') return false
  try {
    const messages: readonly ({ readonly method?: unknown } | null)[] = [JSON.parse(body)].flat()
    return messages.every((message) => message?.method !== undefined && message.method !== 'tools/call')
  } catch {
    return false
  }
}

function isLost(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { readonly code?: unknown } | undefined) : undefined
  return LOST.has(cause?.code)
}
