/** Servers with many tools, and clients that list them: the SDK's and ours. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { mcp } from '@x/mcp'
import { serveMcp } from '@x/mcp/server'
import { createRegistry, lazy } from '@x/registry'
import type { ListedTool, ListingSubject } from './mcp-listing.ts'

const INFO = { name: 'bench', version: '1.0.0' }

/** The baseline: each page is a slice of a prebuilt list. It doesn't check host or origin and has no authorization. */
export const sdk: ListingSubject = {
  async serve(definitions, pageSize) {
    const handler = createMcpHandler(() => {
      const server = new Server(INFO, { capabilities: { tools: {} } })
      server.setRequestHandler('tools/list', ({ params }) => {
        const start = Number(params?.cursor ?? 0)
        const end = start + pageSize
        return {
          tools: definitions.slice(start, end) as never,
          ...(end < definitions.length && { nextCursor: String(end) }),
        }
      })
      return server
    })
    const server = createServer((incoming, outgoing) => void answer(handler.fetch, incoming, outgoing))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return {
      list: () => listAll(`http://127.0.0.1:${port}/mcp`),
      async close() {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  },
}

/** Our server, listed by the SDK's client. */
export const ownServer: ListingSubject = {
  async serve(definitions, pageSize) {
    const { url, close } = await serveLazily(definitions, pageSize)
    return { list: () => listAll(url), close }
  },
}

/** Our server, listed by our client, which checks each definition and creates its card. */
export const own: ListingSubject = {
  async serve(definitions, pageSize) {
    const { url, close } = await serveLazily(definitions, pageSize)
    const list = async () => {
      const source = mcp('bench', { url })
      await source.open()
      const cards = source.cards()
      await source.close()
      return cards.map(({ name, description, args = {} }) => ({
        name: name.slice('bench_'.length),
        description,
        inputSchema: args,
      }))
    }
    return { list, close }
  },
}

/** Serves lazy tools by their cards, without importing any. */
async function serveLazily(
  definitions: readonly ListedTool[],
  pageSize: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const load = () => Promise.reject(new Error('A listing must not import a tool.'))
  const registry = createRegistry(
    definitions.map(({ name, description, inputSchema }) => lazy(name, load, { description, args: inputSchema })),
  )
  const server = serveMcp(registry, { ...INFO, pageSize })
  const { url } = await server.listen()
  return { url, close: () => server.close() }
}

async function listAll(url: string): Promise<readonly ListedTool[]> {
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' }, listMaxPages: 1_000 })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const { tools } = await client.listTools()
  await client.close()
  return tools
}

/** Runs a `fetch` handler on Node's HTTP server with the minimum code. */
async function answer(fetch: (request: Request) => Promise<Response>, incoming: IncomingMessage, outgoing: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { method = 'GET', headers, url = '/' } = incoming
  const body = method === 'POST' ? Buffer.concat(chunks) : null
  const response = await fetch(
    new Request(`http://${headers.host}${url}`, { method, headers: headers as Record<string, string>, body }),
  )
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body !== null) for await (const chunk of response.body) outgoing.write(chunk)
  outgoing.end()
}
