/** Serves a `fetch` handler with Node's HTTP server. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { McpError } from '../errors.ts'
import { LOOPBACK } from './options.ts'

export interface ListenOptions {
  /** Port to listen on. Default: 0, which selects a free port. */
  readonly port?: number | undefined
  /**
   * Address to listen on. An address that other machines can reach needs `authorize`, and `allowedHosts` with the name that clients use.
   * Default: `127.0.0.1`.
   */
  readonly host?: string | undefined
  /** Path of the endpoint. Any other path is answered with 404. Default: `/mcp`. */
  readonly path?: string | undefined
  /** Maximum time for a client to send a request, in milliseconds. Default: 30,000. */
  readonly requestTimeoutMs?: number | undefined
}

/** A listening server. */
export interface Listener {
  readonly url: string
  readonly port: number
  /** Stops listening. Ends all connections and their running calls. */
  close(): Promise<void>
}

type Fetch = (request: Request) => Promise<Response>

/** Listens with `node:http`. Errors that no client sees are passed to `report`. */
export async function listenHttp(fetch: Fetch, options: ListenOptions, report: (thrown: unknown) => void): Promise<Listener> {
  const { port = 0, host = '127.0.0.1', path = '/mcp', requestTimeoutMs = 30_000 } = options
  const { createServer } = await import('node:http')
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // Compared as it was sent: `//host/mcp` and `http://host/mcp` name another host, and a proxy may allow `/x/../mcp`.
    if (incoming.url?.split('?', 1)[0] !== path) return void outgoing.writeHead(404).end()
    // Node requires the header only for HTTP/1.1.
    if (!incoming.headers.host) return void outgoing.writeHead(400).end('The Host header is missing.')
    if (isAmbiguous(incoming)) return void outgoing.writeHead(400).end('A header occurs more than once.')
    // Aborts a tool's work when its client disconnects.
    const gone = new AbortController()
    outgoing.on('close', () => gone.abort())
    const request = await toRequest(incoming, gone.signal)
    try {
      await write(await fetch(request), outgoing)
    } catch (error) {
      fail(outgoing, 500, error)
    }
  }
  const fail = (outgoing: ServerResponse, status: number, error: unknown) => {
    if (!outgoing.destroyed) report(error)
    // Otherwise, the client would treat the received part as a complete response.
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(status).end()
  }
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(requestTimeoutMs, 5_000),
    },
    // Only an invalid request gets here.
    (incoming, outgoing) => void serve(incoming, outgoing).catch((error) => fail(outgoing, 400, error)),
  )
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const bound = portOf(server)
  return {
    port: bound,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}${path}`,
    close: () => closeServer(server),
  }
}

/** Throws `unprotected` if other machines can reach the address and there is no `authorize`. */
export function assertProtected({ host = '127.0.0.1' }: ListenOptions, isAuthorized: boolean): void {
  if (isAuthorized || LOOPBACK.includes(host) || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)) return
  const fix = 'Pass authorize to serveMcp, which decides on each request, or listen on 127.0.0.1.'
  throw new McpError('unprotected', `listen: other machines can reach ${host}, and every request would be served. ${fix}`)
}

/**
 * Returns true if one of these headers occurs more than once. A proxy may have checked a different value than this server would
 * use.
 */
function isAmbiguous({ headersDistinct }: IncomingMessage): boolean {
  return SINGLE.some((name) => (headersDistinct[name]?.length ?? 0) > 1)
}

/** Headers that must not occur more than once. Node would use the first one. */
const SINGLE = ['authorization', 'proxy-authorization', 'host', 'content-type', 'content-length'] as const

/** Converts a Node request to a `Request`. The body is streamed. */
async function toRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { Readable } = await import('node:stream')
  const { method = 'GET', headers: given, url = '/' } = incoming
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) for (const one of [value ?? []].flat()) headers.append(name, one)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, `http://${given.host}`), {
    method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' }),
  } as RequestInit)
}

async function write(response: Response, outgoing: ServerResponse): Promise<void> {
  const reader = response.body?.getReader()
  // A response may set several cookies.
  const cookies = response.headers.getSetCookie()
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
  })
  if (reader === undefined) return void outgoing.end()
  outgoing.on('close', () => void reader.cancel().catch(() => {}))
  for (let chunk = await reader.read(); !chunk.done && !outgoing.destroyed; chunk = await reader.read()) {
    if (!outgoing.write(chunk.value)) await drained(outgoing)
  }
  outgoing.end()
}

/** Waits until a slow client has caught up or disconnected. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      outgoing.off('drain', end).off('close', end)
      resolve()
    }
    outgoing.on('drain', end).on('close', end)
  })
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
