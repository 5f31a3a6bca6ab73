/** A server of the stateless era in this process, made with the official SDK. Requests reach it without a socket. */
import { createMcpHandler, Server, type ServerContext } from '@modelcontextprotocol/server'
import type { HttpServer } from '../src/client/options.ts'

export interface ServedTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema?: object
  readonly outputSchema?: object
  readonly annotations?: object
  /** Returns the result of a call in the protocol's format. */
  call?(args: Record<string, unknown>, context: ServerContext): unknown
}

export interface ServedOptions {
  readonly pageSize?: number
  readonly listChanged?: boolean
  readonly ttlMs?: number
  readonly instructions?: string
  /** The cursor that each page returns, in place of the position. */
  readonly cursor?: string
}

export interface StatelessServer {
  readonly server: HttpServer
  /** Names of the methods that were requested, in order. */
  readonly requests: string[]
  /** Headers of the last request. */
  headers: Headers | undefined
  tools: readonly ServedTool[]
  /** Notifies subscribers that the list has changed. */
  notify(): void
  close(): Promise<void>
}

const OBJECT = { type: 'object' }

export function statelessServer(first: readonly ServedTool[], options: ServedOptions = {}): StatelessServer {
  const { pageSize = 100, listChanged = false, ttlMs, instructions, cursor } = options
  const handler = createMcpHandler(() => {
    const capabilities = { tools: { listChanged } }
    const server = new Server({ name: 'stateless', version: '1.2.3' }, { capabilities, ...(instructions && { instructions }) })
    server.setRequestHandler('tools/list', async ({ params }) => {
      const start = Number(params?.cursor ?? 0) || 0
      const end = start + pageSize
      const page = served.tools.slice(start, end).map(({ call: _, ...tool }) => ({ inputSchema: OBJECT, ...tool }))
      const isLast = end >= served.tools.length && cursor === undefined
      const rest = { ...(!isLast && { nextCursor: cursor ?? String(end) }), ...(ttlMs !== undefined && { ttlMs }) }
      return { tools: page, ...rest } as never
    })
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = served.tools.find(({ name }) => name === params.name)
      if (tool === undefined) throw new Error(`no tool ${params.name}`)
      const result = await tool.call?.(params.arguments ?? {}, context)
      return (result ?? { content: [{ type: 'text', text: `called ${tool.name}` }] }) as never
    })
    return server
  })
  const send: typeof fetch = async (input, init) => {
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as { method?: string }) : {}
    served.requests.push(body.method ?? init?.method ?? 'GET')
    served.headers = new Headers(init?.headers)
    return handler.fetch(new Request(input, init))
  }
  const served: StatelessServer = {
    server: { url: 'http://stateless.test/mcp', fetch: send },
    requests: [],
    headers: undefined,
    tools: first,
    notify: () => handler.notify.toolsChanged(),
    close: () => handler.close(),
  }
  return served
}
