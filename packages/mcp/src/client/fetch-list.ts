/** Fetches a server's list of tools over one connection. */
import { LONGEST_TIMER } from '@x/tool-core'
import { importClient } from '../packages.ts'
import type { Caller } from './call.ts'
import type { Connection } from './connection.ts'
import type { Definition } from './definition.ts'
import { isAuthError } from './failure.ts'
import { listFailed, listTimedOut, removedTool } from './messages.ts'
import { limited } from './wait.ts'

/** The definitions of a listing, and when they expire. */
export interface Listed {
  readonly definitions: readonly Definition[]
  readonly freshUntil: number
}

const MAX_TTL_MS = 24 * 60 * 60 * 1_000

/** `isFollowed` returns true if the server reports changes. Rejects with `list_failed` or `unauthorized`. */
export async function fetchList(
  connection: Connection,
  caller: Caller,
  isFollowed: () => boolean,
  isSifted = false,
): Promise<Listed> {
  const { client, opened } = connection
  const capability = client.getServerCapabilities()?.tools
  // For a server without tools, the SDK would log to standard output, which may carry a protocol.
  if (capability === undefined) return { definitions: [], freshUntil: Number.POSITIVE_INFINITY }
  const { name, connectTimeoutMs } = caller.settings
  const controller = new AbortController()
  const late = () => {
    const error = listTimedOut(name, connectTimeoutMs)
    controller.abort(error)
    return error
  }
  try {
    const listing = client.listTools(undefined, { signal: controller.signal, timeout: LONGEST_TIMER, cacheMode: 'bypass' })
    const { tools, ...rest } = await limited(listing, connectTimeoutMs, late)
    if (opened.nextCursor() !== undefined)
      caller.report({ code: 'repeated_cursor', message: `The server repeats a cursor after ${tools.length} tools.` })
    for (const tool of opened.takeRemoved()) caller.report({ code: 'tool_refused', message: removedTool(name, tool) })
    return { definitions: tools as readonly Definition[], freshUntil: endOf(rest as { ttlMs?: unknown }, isFollowed()) }
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason
    const sdk = await importClient()
    if (isAuthError(error, sdk)) throw caller.unauthorized(connection, error)
    const isInvalid = error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.InvalidResult
    if (isInvalid && !isSifted) {
      opened.sift(sdk.isSpecType.Tool)
      return fetchList(connection, caller, isFollowed, true)
    }
    throw listFailed(name, caller.wordsOf(error))
  }
}

/** Returns when the list expires: never without `ttlMs`, or if `ttlMs` is 0 and the server reports changes. */
function endOf({ ttlMs }: { readonly ttlMs?: unknown }, isFollowed: boolean): number {
  if (typeof ttlMs !== 'number' || (ttlMs <= 0 && isFollowed)) return Number.POSITIVE_INFINITY
  return Date.now() + Math.min(Math.max(0, ttlMs), MAX_TTL_MS)
}
