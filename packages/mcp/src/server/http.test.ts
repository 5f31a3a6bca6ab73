import { once } from 'node:events'
import { connect as dial, type Socket } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { defineTool, type Tool } from '@x/tool-core'
import { Type } from 'typebox'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { modernRequest, send } from '../../test/server/clients.ts'
import { hangingTool } from '../../test/server/hanging-tool.ts'
import type { ServeMcpOptions } from './options.ts'
import { serveMcp, type ToolServer } from './serve-mcp.ts'

const INFO = { name: 'test', version: '1.0.0' }
const servers: ToolServer[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

function serve(tools: readonly Tool[] = [echo], options: Partial<ServeMcpOptions> = {}): ToolServer {
  const server = serveMcp(tools, { ...INFO, ...options })
  servers.push(server)
  return server
}

const echo = defineTool({
  name: 'echo',
  description: 'Returns the text.',
  args: Type.Object({ text: Type.String() }),
  execute: ({ text }) => text,
})

describe('a request over HTTP', () => {
  it.each([
    ['the Host of another site', { host: 'evil.example' }, 403],
    ['the Host of another site with a port', { host: 'evil.example:8080' }, 403],
    ['a Host with a path', { host: 'localhost/evil.example' }, 403],
    ['a Host with a user', { host: 'evil.example@localhost' }, 403],
    ['the Origin of another site', { origin: 'https://evil.example' }, 403],
    ['the Origin "null"', { origin: 'null' }, 403],
    ['the Host of this machine', { host: '127.0.0.1:8080' }, 200],
    ['the Origin of this machine', { origin: 'http://localhost:3000' }, 200],
    ['the Origin of this machine over HTTPS', { origin: 'https://127.0.0.1' }, 200],
    ['an IPv6 Origin of this machine', { origin: 'http://[::1]:3000' }, 200],
    ['an Origin of this machine with another scheme', { origin: 'ftp://localhost' }, 403],
    ['an Origin that is no URL', { origin: 'localhost' }, 403],
    ['an Origin that starts with a name of this machine', { origin: 'http://localhost.evil.example' }, 403],
  ])('with %s', async (_, headers, status) => {
    expect((await serve().fetch(modernRequest('tools/list', {}, headers as never))).status).toBe(status)
  })

  it('reaches the hosts that are allowed, and their pages', async () => {
    const server = serve([echo], { allowedHosts: ['mcp.example.com'] })
    const status = async (headers: Record<string, string>) =>
      (await server.fetch(modernRequest('tools/list', {}, headers))).status
    expect(await status({ host: 'mcp.example.com:443', origin: 'https://mcp.example.com' })).toBe(200)
    expect(await status({ host: 'localhost' })).toBe(403)
  })

  it.each([
    ['https://mcp.example.com', 200],
    ['https://mcp.example.com:443', 200],
    ['http://mcp.example.com', 403],
    ['https://mcp.example.com:8443', 403],
    ['https://mcp.example.com.evil.example', 403],
    ['http://dev.example.com:5173', 200],
    ['https://dev.example.com:5173', 403],
    ['http://dev.example.com', 403],
    ['chrome-extension://abcdefgh', 200],
    ['https://abcdefgh', 403],
    ['http://localhost:3000', 403],
  ])('with the Origin %s, if only other origins are allowed, has status %i', async (origin, status) => {
    const allowedOrigins = ['mcp.example.com', 'http://dev.example.com:5173', 'chrome-extension://abcdefgh']
    const server = serve([echo], { allowedOrigins })
    expect((await server.fetch(modernRequest('tools/list', {}, { origin }))).status).toBe(status)
  })

  it.each(['http://evil.example/mcp', '//evil.example/mcp', '/\\evil.example/mcp', '/public/../mcp', '/mcp/', '/MCP'])(
    'for %s is not for this server',
    async (target) => {
      const { port } = await serve().listen()
      expect(await statusOf(port, '/mcp?a=b')).toBe(405)
      expect(await statusOf(port, target)).toBe(404)
    },
  )

  it('is authorized before its body is read', async () => {
    const authorize = vi.fn(() => new Response('Who are you?', { status: 401, headers: { 'www-authenticate': 'Bearer' } }))
    const request = modernRequest('tools/list')
    const response = await serve([echo], { authorize }).fetch(request)
    expect([response.status, response.headers.get('www-authenticate'), request.bodyUsed]).toEqual([401, 'Bearer', false])
    expect(authorize).toHaveBeenCalledWith(request)
  })

  it('that is refused gets all cookies of the response', async () => {
    const headers = new Headers([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ])
    const { url } = await serve([echo], { authorize: () => new Response('', { status: 401, headers }) }).listen()
    expect((await fetch(url)).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('has no complete response if its body fails', async () => {
    let pulls = 0
    const body = new ReadableStream({
      pull(controller) {
        if (pulls++ > 0) return controller.error(new Error('lost'))
        controller.enqueue(new TextEncoder().encode('half'))
      },
    })
    const onError = vi.fn()
    const { url } = await serve([echo], { authorize: () => new Response(body, { status: 401 }), onError }).listen()
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow()
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message: 'lost' }))
  })

  it('is answered with status 500 if it fails in the server', async () => {
    const used = new Response('used', { status: 401 })
    await used.text()
    const { url } = await serve([echo], { authorize: () => used }).listen()
    expect((await fetch(url)).status).toBe(500)
  })

  it('is refused if the authorization fails, without its message', async () => {
    const errors: Error[] = []
    const server = serve([echo], {
      authorize: () => Promise.reject(new Error('password: hunter2')),
      onError: (error) => errors.push(error),
    })
    const response = await server.fetch(modernRequest('tools/list'))
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('hunter2')
    expect(errors).toMatchObject([{ message: 'password: hunter2' }])
  })

  it.each<[what: string, returned: unknown]>([
    ['undefined', undefined],
    ['false', false],
    ['a list', []],
    ['the response of another library', Object.defineProperty({}, Symbol.toStringTag, { value: 'Response' })],
    ['a subject that is no text', { subject: 7 }],
  ])('is refused if authorize returns %s', async (_, returned) => {
    const errors: Error[] = []
    const server = serve([echo], { authorize: () => returned as never, onError: (error) => errors.push(error) })
    expect((await server.fetch(modernRequest('tools/list'))).status).toBe(500)
    expect(errors).toMatchObject([{ message: expect.stringContaining('authorize must return') }])
  })

  it.each([
    ['longer than the limit', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', pad: 'x'.repeat(2_000) }), 413],
    ['no JSON', '{"jsonrpc":', 400],
    ['deeply nested', `${'['.repeat(900)}${']'.repeat(900)}`, 400],
  ])('is refused if its body is %s', async (_, body, status) => {
    const { headers } = modernRequest('ping')
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, body })
    expect((await serve([echo], { maxBodyBytes: 1_900 }).fetch(request)).status).toBe(status)
  })

  it.each<[what: string, change: (body: Record<string, unknown>) => unknown]>([
    ['a list of requests', (body) => [body, body]],
    ['an empty list', () => []],
    ['null', () => null],
    ['a number', () => 1],
    ['a response', () => ({ jsonrpc: '2.0', id: 1, result: {} })],
    ['without an id', ({ id: _, ...body }) => body],
    ['with an id that is an object', (body) => ({ ...body, id: {} })],
    ['with parameters that are a list', (body) => ({ ...body, params: [] })],
    ['without a name', (body) => withParams(body, { name: undefined })],
    ['with a name that is an object', (body) => withParams(body, { name: {} })],
    ['with arguments that are a list', (body) => withParams(body, { arguments: [] })],
    ['with arguments that are text', (body) => withParams(body, { arguments: '{"text":"a"}' })],
    ['with answers that are a list', (body) => withParams(body, { inputResponses: [] })],
    ['with a state that is an object', (body) => withParams(body, { requestState: {} })],
    ['with a state that is no state', (body) => withParams(body, { requestState: 'v1..' })],
    ['with metadata that are text', (body) => withParams(body, { _meta: 'none' })],
  ])('is answered, or accepted as a notification, if its body is %s', async (_, change) => {
    const server = serve()
    const request = modernRequest('tools/call', { name: 'echo', arguments: { text: 'a' } })
    const body = JSON.stringify(change((await request.json()) as Record<string, unknown>))
    const response = await server.fetch(new Request(request.url, { method: 'POST', headers: request.headers, body }))
    expect([200, 202, 400, 404]).toContain(response.status)
    const text = await response.text()
    if (response.status !== 202) expect(text).toContain('"jsonrpc":"2.0"')
    expect((await send(server, 'tools/list')).status).toBe(200)
  })

  it('gets status 503 after the server was closed', async () => {
    const server = serve()
    await server.close()
    expect((await server.fetch(modernRequest('tools/list'))).status).toBe(503)
    await expect(server.listen()).rejects.toMatchObject({ code: 'closed' })
    await expect(server.stdio()).rejects.toMatchObject({ code: 'closed' })
  })

  it.each([
    '{"more":{"__proto__":{"polluted":true}}}',
    '{"more":1,"__proto__":{"polluted":true}}',
    '{"more":1,"__proto__":null}',
    '{"more":1,"constructor":{"prototype":{"polluted":true}}}',
  ])('cannot reach prototypes by its arguments %s', async (text) => {
    const execute = vi.fn()
    const any = defineTool({ name: 'any', description: 'Takes anything.', args: Type.Object({ more: Type.Unknown() }), execute })
    const call = { name: 'any', arguments: JSON.parse(text) as object }
    const earlier = await serve([any]).fetch(earlierRequest('tools/call', call))
    const data = /^data: (.*)$/m.exec(await earlier.text())?.[1] ?? '{}'
    for (const { result } of [await send(serve([any]), 'tools/call', call), JSON.parse(data)])
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/(?:__proto__|constructor) is a forbidden key/) }],
      })
    expect(execute).not.toHaveBeenCalled()
  })
})

const COUNT = process.env.X_FULL ? 10_000 : 200

describe('listening', () => {
  it('serves at one path of the loopback address', async () => {
    const listener = await serve().listen()
    expect(listener.url).toBe(`http://127.0.0.1:${listener.port}/mcp`)
    const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL(listener.url)))
    expect((await client.callTool({ name: 'echo', arguments: { text: 'ü'.repeat(100_000) } })).content).toEqual([
      { type: 'text', text: 'ü'.repeat(100_000) },
    ])
    await client.close()
    expect((await fetch(`http://127.0.0.1:${listener.port}/other`)).status).toBe(404)
    expect((await fetch(listener.url)).status).toBe(405)
  })

  it('on an address that other machines can reach requires authorization', async () => {
    await expect(serve().listen({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'unprotected' })
    const listener = await serve([echo], { authorize: () => ({}) }).listen({ host: '0.0.0.0' })
    await listener.close()
  })

  it('reports a port that is taken', async () => {
    const { port } = await serve().listen()
    await expect(serve().listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('answers a body that is too long with 413', async () => {
    const { url } = await serve([echo], { maxBodyBytes: 1_000 }).listen()
    const { headers } = modernRequest('ping')
    expect((await fetch(url, { method: 'POST', headers, body: 'x'.repeat(5_000_000) })).status).toBe(413)
    expect((await fetch(url)).status).toBe(405)
  })

  it.each(['2026-07-28', '2025-11-25'])('ends a tool when its client of revision %s has disconnected', async (revision) => {
    const { tool, aborted, started } = hangingTool()
    const running = started()
    const { port } = await serve([tool]).listen()
    const request = revision === '2026-07-28' ? modernRequest('tools/call', CALL) : earlierRequest('tools/call', CALL)
    const gone = new AbortController()
    const call = fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: request.headers,
      body: await request.text(),
      signal: gone.signal,
    })
    call.catch(() => {})
    await running
    gone.abort()
    await expect.poll(() => aborted.mock.calls.length).toBe(1)
  })

  it.each([
    'Authorization: Bearer good\r\nAuthorization: Bearer bad',
    'Host: localhost\r\nHost: evil.example',
    'Content-Type: text/plain',
  ])('refuses a request with %j before `authorize` sees it', async (twice) => {
    const authorize = vi.fn(() => ({ subject: 'ada' }))
    const { port } = await serve([echo], { authorize }).listen()
    const head = ['POST /mcp HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 2', 'Connection: close', twice]
    const socket = drip(port, [...head, ...(twice.includes('Host') ? [] : ['Host: localhost']), '', '{}'].join('\r\n'))
    let answer = ''
    socket.on('data', (piece) => {
      answer += piece
    })
    await closed(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(authorize).not.toHaveBeenCalled()
  })

  it.each([
    ['HTTP/1.0 without a Host', 'HTTP/1.0', [], 400],
    ['HTTP/1.0 with an empty Host', 'HTTP/1.0', ['Host: '], 400],
    ['HTTP/1.0 with a Host', 'HTTP/1.0', ['Host: localhost'], 405],
    ['HTTP/1.0 with the Host of another site', 'HTTP/1.0', ['Host: evil.example'], 403],
    ['HTTP/1.1 without a Host', 'HTTP/1.1', [], 400],
    ['HTTP/1.1 with an empty Host', 'HTTP/1.1', ['Host: '], 400],
  ])('answers %s', async (_, version, headers, status) => {
    const { port } = await serve().listen()
    expect(await statusOf(port, '/mcp', version, headers)).toBe(status)
  })

  it(`answers ${COUNT} requests at once, each with its own result`, async () => {
    const server = serve()
    const texts = Array.from({ length: COUNT }, (_, n) => `text ${n}`)
    const answers = await Promise.all(
      texts.map(async (text) => {
        const response = await server.fetch(modernRequest('tools/call', { name: 'echo', arguments: { text } }))
        const { result } = (await response.json()) as { result: { content: readonly { text: string }[] } }
        return result.content[0]?.text
      }),
    )
    expect(answers).toEqual(texts)
  })

  it('ends requests that take too long to arrive, and serves others meanwhile', async () => {
    const { port, url } = await serve().listen({ requestTimeoutMs: 3_000 })
    const body = ['POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', 'Content-Length: 100', '', '{']
    const slow = [['POST /mcp HTTP/1.1', 'Host: localhost', 'X-A: '], body].map((lines) => drip(port, lines.join('\r\n')))
    expect((await fetch(url)).status).toBe(405)
    await Promise.all(slow.map(closed))
  })

  it('closes every connection, call and stream when the server is closed', async () => {
    const server = serve([defineTool({ ...echo, name: 'hangs', execute: () => new Promise(() => {}) } as never)])
    const { port, url } = await server.listen()
    const request = modernRequest('tools/call', { name: 'hangs', arguments: { text: '' } })
    const call = fetch(url, { method: 'POST', headers: request.headers, body: await request.text() })
    const idle = drip(port, 'POST /mcp HTTP/1.1\r\n')
    await once(idle, 'connect')
    const ended = closed(idle)
    const failed = expect(call).rejects.toThrow()
    await server.close()
    await Promise.all([ended, failed])
    await expect(fetch(url)).rejects.toThrow()
  })
})

function withParams(body: Record<string, unknown>, params: object): object {
  return { ...body, params: { ...(body.params as object), ...params } }
}

const CALL = { name: 'hangs', arguments: {} }

/** Creates a request of revision 2025-11-25, for a server without sessions. */
function earlierRequest(method: string, params: object): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
}

/** Sends a request that `fetch` can't send. Resolves to the status. */
async function statusOf(port: number, target: string, version = 'HTTP/1.1', headers = ['Host: localhost']): Promise<number> {
  const head = [`GET ${target} ${version}`, ...headers, 'Connection: close', '', '']
  const socket = dial(port, '127.0.0.1', () => socket.write(head.join('\r\n')))
  const [start] = (await once(socket.setEncoding('utf8'), 'data')) as [string]
  socket.destroy()
  return Number(start.split(' ', 2)[1])
}

/** Sends the start of a request, and never sends the rest. */
function drip(port: number, start: string): Socket {
  const socket = dial(port, '127.0.0.1', () => socket.write(start))
  socket.on('error', () => {})
  socket.resume()
  return socket
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.on('close', () => resolve()))
}
