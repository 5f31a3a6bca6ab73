/**
 * Extends the SDK's transports. Reports streams that end early and limits that were exceeded, and delivers progress before the
 * result.
 */
import type { JSONRPCMessage, OAuthClientProvider, Transport } from '@modelcontextprotocol/client'
import { MAX_DEPTH } from '@x/tool-core'
import { importClient, importStdio } from '../packages.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { idsIn, limitedFetch } from './limited-fetch.ts'
import { MALFORMED, type Mark, STREAM_ENDED, TOO_LARGE } from './lost.ts'
import { type HttpServer, isStdio, type Settings, type StdioServer } from './options.ts'
import { repeatingFetch } from './repeating-fetch.ts'
import type { Secrets } from './secrets.ts'
import { extentOf, MAX_DEFINITION, type Removed } from './size-of.ts'

/** Ways to reach a server, in the order in which they are tried. */
export type Channel = 'stdio' | 'http' | 'sse'

export interface Opened {
  readonly transport: Transport
  /** Completes an authorization with the redirect's parameters. */
  readonly finishAuth: ((params: URLSearchParams) => Promise<void>) | undefined
  /** Ends a session with an older server. */
  readonly endSession: () => Promise<void>
  /** Returns the mark of the error that closed the connection. */
  closedBy(): Mark | undefined
  /**
   * Returns the cursor on the last page of tools. A complete list has none there, so a cursor means that the server repeated an
   * earlier one.
   */
  nextCursor(): unknown
  /** Removes tools that `isValid` rejects from all later lists. Otherwise, the SDK would refuse the whole list. */
  sift(isValid: (tool: unknown) => boolean): void
  /** Returns the tools that were removed from lists since the last call. */
  takeRemoved(): readonly Removed[]
  /** Call this once the client is connected. From then on, progress is delivered before a response in the same chunk. */
  settle(): void
}

export interface TransportEvents {
  /**
   * Called for the first line on standard output that is JSON but not a message. The SDK skips lines that aren't JSON.
   */
  readonly onStray: () => void
  /** Called when a stream over HTTP has ended and can't be opened again. */
  readonly onStreamLost: () => void
}

export async function openTransport(
  channel: Channel,
  settings: Settings,
  secrets: Secrets,
  { onStray, onStreamLost }: TransportEvents,
): Promise<Opened> {
  const { server } = settings
  return isStdio(server) ? openStdio(server, settings, onStray) : openHttp(channel, server, settings, secrets, onStreamLost)
}

async function openStdio(server: StdioServer, { maxAnswerBytes }: Settings, onStray: () => void): Promise<Opened> {
  const { StdioClientTransport } = await importStdio()
  /**
   * A transport that starts a single process. The SDK's own transport would start a second one to determine the protocol
   * revision.
   */
  class SingleProcessTransport extends StdioClientTransport {
    #child: number | null = null

    override async start(): Promise<void> {
      await super.start()
      this.#child = this.pid
    }

    /** Closes the connection and waits until the process has ended. The SDK doesn't wait for a killed process. */
    override async close(): Promise<void> {
      await super.close()
      if (this.#child !== null) await ended(this.#child)
    }
  }
  const { command, args = [], env, cwd, stderr = 'ignore' } = server
  const transport = new SingleProcessTransport({
    command,
    args: [...args],
    ...(env && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
    stderr,
    maxBufferSize: maxAnswerBytes,
  })
  const watched = watch(transport, maxAnswerBytes, onStray)
  return { transport, finishAuth: undefined, endSession: async () => {}, ...watched }
}

const POLL_MS = 10
const MAX_POLLS = 200

async function ended(child: number): Promise<void> {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    try {
      process.kill(child, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function openHttp(
  channel: Channel,
  server: HttpServer,
  settings: Settings,
  secrets: Secrets,
  onStreamLost: () => void,
): Promise<Opened> {
  const { SSEClientTransport, SseError, StreamableHTTPClientTransport } = await importClient()
  const { maxRetries, maxAnswerBytes, name } = settings
  const url = new URL(String(server.url))
  const fetcher = repeatingFetch(guardedFetch(server.fetch ?? fetch, url, name), maxRetries)
  const options = {
    ...(secrets.auth && { authProvider: secrets.auth as OAuthClientProvider }),
    ...(server.headers && { requestInit: { headers: { ...server.headers } } }),
    fetch: limitedFetch(fetcher, maxAnswerBytes, (request) => {
      // An SSE transport has a single stream for all answers. Once it ends, all open requests fail.
      watched.fail(channel === 'sse' ? watched.open.keys() : idsIn(request), TOO_LARGE)
    }),
  }
  const transport = channel === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options)
  const watched = watch(transport, maxAnswerBytes)
  const { onerror } = transport
  transport.onerror = (error) => {
    const isLost = error instanceof SseError
    // An SSE transport opens another stream, but the server has no session for it.
    if (isLost) watched.fail(watched.open.keys(), STREAM_ENDED)
    if (isLost || /^Maximum reconnection attempts/.test(error.message)) onStreamLost()
    onerror?.(error)
  }
  const endSession = async () => {
    if ('terminateSession' in transport) await transport.terminateSession()
  }
  return { transport, finishAuth: (params) => transport.finishAuth(params), endSession, ...watched }
}

/** Maximum size of a list with all its pages, as a multiple of `maxAnswerBytes`. */
const LIST_SIZE = 10

/** Tracks the open requests of a transport. Without `onStray`, every message without a method is treated as an answer. */
function watch(transport: Transport, maxAnswerBytes: number, onStray?: () => void) {
  const maxListSize = LIST_SIZE * maxAnswerBytes
  let listSize = 0
  /** The method of each open request, by id. */
  const open = new Map<string | number, string>()
  let closedBy: Mark | undefined
  let nextCursor: unknown
  let isValid: ((tool: unknown) => boolean) | undefined
  const removed: Removed[] = []
  let hasStray = false
  const fail = (ids: Iterable<string | number>, data: Mark) => {
    for (const id of [...ids]) {
      if (!open.delete(id)) continue
      transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_000, message: data.lost, data } } as JSONRPCMessage)
    }
  }
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    // The server may never answer a cancelled request.
    if ('method' in message && message.method === 'notifications/cancelled') open.delete(message.params?.requestId as number)
    // Other ids belong to subscriptions, whose end the SDK itself reports.
    if (!('id' in message && 'method' in message && typeof message.id === 'number')) return send(message, options)
    const { id, method, params } = message
    open.set(id, method)
    if (method === 'tools/list' && params?.cursor === undefined) listSize = 0
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.()
      fail([id], STREAM_ENDED)
    }
    return send(message, { ...options, onRequestStreamEnd }).catch((error: unknown) => {
      open.delete(id)
      throw error
    })
  }
  transport.onerror = (error) => {
    if (/ReadBuffer exceeded/.test(error.message)) {
      closedBy = TOO_LARGE
      fail(open.keys(), TOO_LARGE) // The process may take seconds to end, so the requests fail now.
    }
    if (!isMalformed(error)) return
    if (isNotification(error) || (onStray !== undefined && isStray(error))) {
      if (!hasStray) onStray?.()
      hasStray = true
    } else if (open.size === 1) fail(open.keys(), MALFORMED) // With one open request, the message must be its answer.
  }
  const isKept = (tool: unknown) => {
    const { size, depth } = extentOf(tool)
    listSize += size
    const fault = size > MAX_DEFINITION ? 'too_large' : depth > MAX_DEPTH ? 'too_deep' : undefined
    if (fault === undefined && (isValid === undefined || isValid(tool))) return true
    removed.push({ name: String((tool as { name?: unknown } | null)?.name), fault: fault ?? 'invalid' })
    return false
  }
  const sift = (given: (tool: unknown) => boolean) => {
    isValid = given
  }
  const settle = () => {
    open.clear() // These requests belong to the handshake.
    const deliver = transport.onmessage?.bind(transport)
    /** True while notifications from the same chunk may still be unhandled. */
    let isBusy = false
    /** Number of responses that wait for these notifications. */
    let waiting = 0
    const end = transport.onclose?.bind(transport)
    // A server may exit as soon as it has answered.
    transport.onclose = () => (waiting > 0 ? void setTimeout(() => end?.()) : end?.())
    transport.onmessage = (message, extra) => {
      if ('method' in message) {
        isBusy = true
        setTimeout(() => {
          isBusy = false
        })
        return deliver?.(message, extra)
      }
      const { id, result } = message as { id: string | number; result?: { tools?: unknown; nextCursor?: unknown } }
      const isList = open.get(Number(id)) === 'tools/list'
      open.delete(Number(id)) // The SDK also accepts the id as a string.
      if (isList && Array.isArray(result?.tools)) {
        nextCursor = result.nextCursor
        const tools: readonly unknown[] = isValid === undefined ? result.tools : result.tools.map(withType)
        result.tools = tools.filter(isKept)
        if (listSize > maxListSize) {
          const words = `the list has more than ${maxListSize} characters. Raise maxAnswerBytes, or check the server`
          return deliver?.({ jsonrpc: '2.0', id, error: { code: -32_000, message: words, data: TOO_LARGE } }, extra)
        }
      }
      if (!isBusy) return deliver?.(message, extra)
      waiting++
      setTimeout(() => {
        waiting--
        deliver?.(message, extra)
      })
    }
  }
  const takeRemoved = () => removed.splice(0)
  return { open, fail, settle, sift, takeRemoved, closedBy: () => closedBy, nextCursor: () => nextCursor }
}

/** Adds the `type` that the protocol requires to an input schema without one, because many servers omit it. */
function withType(tool: unknown): unknown {
  const { inputSchema } = (tool ?? {}) as { inputSchema?: unknown }
  if (typeof inputSchema !== 'object' || inputSchema === null || 'type' in inputSchema) return tool
  return { ...(tool as object), inputSchema: { type: 'object', ...inputSchema } }
}

interface Issue {
  readonly code?: unknown
  readonly path?: readonly unknown[] | undefined
  readonly errors?: readonly (readonly Issue[])[] | undefined
}

/**
 * Returns true for JSON without the protocol's `jsonrpc` field, such as a line of a log. Looks for it in the issues that the
 * schema's error lists for each kind of message.
 */
function isStray(error: Error): boolean {
  const kinds = kindsIn(error)
  const isOther = ({ code, path = [] }: Issue) => path[0] === 'jsonrpc' || (path.length === 0 && code === 'invalid_type')
  return kinds.length > 0 && kinds.every((issues) => issues.some(isOther))
}

/** Returns true for an invalid notification, such as one with the parameters `null`. It has a method and no id, so it isn't an answer. */
function isNotification(error: Error): boolean {
  const wrong = kindsIn(error).flatMap((issues) => issues.map(({ path = [] }) => path[0]))
  return wrong.includes('id') && !wrong.includes('method')
}

/** Returns the issues that the schema's error lists for each kind of message. */
function kindsIn(error: Error): readonly (readonly Issue[])[] {
  return (error as { readonly issues?: readonly Issue[] }).issues?.flatMap(({ errors = [] }) => errors) ?? []
}

/** Returns true for the SDK's errors about an invalid message: a zod error, or a syntax error if it isn't JSON. */
function isMalformed({ name }: Error): boolean {
  return name === 'ZodError' || name === '$ZodError' || name === 'SyntaxError'
}
