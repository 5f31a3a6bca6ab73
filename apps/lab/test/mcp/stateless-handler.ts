/** An in-process server of MCP's stateless era, made with the official SDK. It counts requests. */
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import type { HttpServer } from '@x/mcp'

export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
}

export interface CountedServer {
  readonly server: HttpServer
  /** Returns the number of requests so far. */
  readonly requests: () => number
}

export function countedServer(name: string, tools: readonly ListedTool[]): CountedServer {
  const handler = createMcpHandler(() => {
    const server = new Server({ name, version: '1.0.0' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', async () => ({ tools }) as never)
    server.setRequestHandler('tools/call', async ({ params }) => ({
      content: [{ type: 'text', text: `${params.name} is done.` }],
    }))
    return server
  })
  let requests = 0
  const send: typeof fetch = async (input, init) => {
    requests++
    return handler.fetch(new Request(input, init))
  }
  return { server: { url: `http://${name}.test/mcp`, fetch: send }, requests: () => requests }
}
