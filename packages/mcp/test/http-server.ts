/** A server of the older era over HTTP, on a real socket. A test's function answers its requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A JSON-RPC message from a client. */
export interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> }
}

export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly message: Message
  /** Answers with a result, as JSON. */
  reply(result: unknown): void
  /** Answers with a status. */
  refuse(status: number, body?: string): void
}

export interface OlderHttpServer {
  readonly url: string
  /** Protocol methods that were requested, and HTTP methods other than POST, in order. */
  readonly requests: string[]
  readonly server: Server
  close(): Promise<void>
}

export const TOOL = { name: 'get', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }

/** Returns the answers of a server that works correctly. Its sessions have the numbers 1, 2, … */
export function working(tools: readonly object[] = [TOOL]) {
  let sessions = 0
  return ({ message, response, reply, refuse }: HttpExchange) => {
    switch (message.method) {
      case 'initialize':
        response.setHeader('mcp-session-id', String(++sessions))
        return reply({
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'older-http', version: '1.0.0' },
        })
      case 'notifications/initialized':
        return refuse(202)
      case 'tools/list':
        return reply({ tools })
      case 'tools/call':
        return reply({ content: [{ type: 'text', text: `session ${String(response.req.headers['mcp-session-id'])}` }] })
      default:
        return refuse(404, 'Not found')
    }
  }
}

/**
 * Starts a server that is closed after the test. `answer` is called with each message of a client, and `listen` if a client asks for a
 * stream of notifications. Without `listen`, there is no such stream.
 */
export async function olderHttpServer(
  answer: (exchange: HttpExchange) => void,
  listen?: (response: ServerResponse) => void,
): Promise<OlderHttpServer> {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const refuse = (status: number, words = '') => {
      response.writeHead(status, { 'content-type': 'text/plain' })
      response.end(words)
    }
    if (request.method !== 'POST') {
      requests.push(request.method ?? '')
      if (listen !== undefined && request.method === 'GET') return listen(response)
      return refuse(request.method === 'DELETE' ? 200 : 405)
    }
    const message = JSON.parse(body) as Message
    requests.push(message.method)
    const reply = (result: unknown) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
    }
    answer({ request, response, message, reply, refuse })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const one: OlderHttpServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    server,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  onTestFinished(() => one.close())
  return one
}
