/** A real HTTP server on the loopback address, for the tests of this package. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

export interface Loopback {
  readonly baseURL: string
  /** The server's name in errors: `127.0.0.1:PORT`. */
  readonly host: string
  readonly received: readonly Received[]
  /** Resolves when a connection is closed before its reply is complete. */
  readonly dropped: Promise<void>
}

export type Reply = (reply: ServerResponse, request: Received) => unknown

/** Answers every request with `answer` until the test ends. */
export async function serve(answer: Reply): Promise<Loopback> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  let drop = () => {}
  const dropped = new Promise<void>((resolve) => {
    drop = resolve
  })
  const server = createServer((request, reply) => {
    const parts: Buffer[] = []
    reply.on('close', () => reply.writableFinished || drop())
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method, url: path, headers } = request
      const one = { method, path, headers, body: JSON.parse(Buffer.concat(parts).toString()) as unknown }
      received.push(one)
      answer(reply, one)
    })
  })
  // By default, a server that is stalled for 5 seconds closes an idle connection before it reads the next request.
  server.keepAliveTimeout = 0
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { baseURL: `http://${host}/v1`, host, received, dropped }
}

/** Returns a `fetch` with one connection. A request waits until the previous reply has ended or its connection is closed. */
export async function fetchByOneConnection(): Promise<typeof globalThis.fetch> {
  await fetch('data:,')
  // Node stores its dispatcher here, and doesn't export its class.
  const dispatcher = (globalThis as unknown as Record<symbol, object>)[Symbol.for('undici.globalDispatcher.1')]
  const Agent = dispatcher?.constructor as new (options: object) => { destroy(): Promise<void> }
  const agent = new Agent({ connections: 1 })
  onTestFinished(() => agent.destroy())
  return (url, init) => fetch(url, { ...init, dispatcher: agent } as RequestInit)
}

export const sendJson = (reply: ServerResponse, body: unknown, status = 200): void => {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Opens an event stream and sends these events. The caller ends it. */
export function sendEvents(reply: ServerResponse, ...events: readonly unknown[]): void {
  if (!reply.headersSent) reply.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) reply.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
}
