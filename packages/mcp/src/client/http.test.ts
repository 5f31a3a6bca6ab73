import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect, failure, shown } from '../../test/calls.ts'
import { type HttpExchange, olderHttpServer, TOOL, working } from '../../test/http-server.ts'
import { statelessServer } from '../../test/stateless-server.ts'
import { mcp } from './mcp.ts'
import type { McpOptions } from './options.ts'

const TRUST: McpOptions = { trust: ['readOnlyHint'] }
const WRITE = { name: 'put', inputSchema: { type: 'object' } }

/** Starts a server of the oldest transport, which sends all its answers on the client's latest stream. */
async function sseServer(answer: (exchange: HttpExchange) => void) {
  const streams: ServerResponse[] = []
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: endpoint\ndata: /messages\n\n')
      return void streams.push(response)
    }
    if (request.url !== '/messages') return void response.writeHead(405).end()
    let body = ''
    for await (const chunk of request) body += chunk
    response.writeHead(202).end()
    const message = JSON.parse(body)
    requests.push(message.method)
    const reply = (result: unknown) =>
      streams.at(-1)?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n\n`)
    const fake = { req: request, setHeader() {} }
    answer({ request, response: fake as never, message, reply, refuse: () => {} })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`, requests, streams }
}

describe('a server over HTTP', () => {
  it('of the older era has a session, which ends with the source', async () => {
    const { url, requests } = await olderHttpServer(working())
    const { source, call } = connect({ url })
    expect(shown(await call('shop_get'))).toBe('session 1')
    expect(source.server).toMatchObject({ revision: '2025-11-25', isStateless: false })
    await source.close()
    expect(requests).toContain('DELETE')
    await source.open()
    expect(requests.filter((method) => method === 'server/discover')).toHaveLength(1)
  })

  it.each(['server/discover', 'initialize', 'notifications/initialized', 'tools/list'])(
    'that loses the connection of a %s is asked again',
    async (method) => {
      const answers = working()
      const { url, requests } = await olderHttpServer((exchange) => {
        const isFirst = requests.filter((request) => request === method).length === 1
        if (exchange.message.method === method && isFirst) return void exchange.response.destroy()
        answers(exchange)
      })
      const { source } = connect({ url })
      await source.open()
      expect(requests.filter((request) => request === method)).toHaveLength(2)
    },
  )

  it('that keeps losing the connection is asked as often as `maxRetries` allows', async () => {
    const { url, requests } = await olderHttpServer(({ response }) => void response.destroy())
    await expect(connect({ url }, { maxRetries: 3 }).source.open()).rejects.toMatchObject({ code: 'connect_failed' })
    expect(requests).toEqual(Array(4).fill('server/discover'))
  })

  it.each([
    [404, 'Session not found'],
    [400, 'Bad Request: No valid session ID provided'],
  ])('that answers %i to an expired session gets a new one, and the call is made once', async (status, words) => {
    const answers = working([WRITE])
    let isExpired = true
    let executed = 0
    const { url } = await olderHttpServer((exchange) => {
      if (exchange.message.method !== 'tools/call') return answers(exchange)
      if (isExpired) {
        isExpired = false
        return exchange.refuse(status, JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: words } }))
      }
      executed++
      return answers(exchange)
    })
    const { call } = connect({ url })
    expect(shown(await call('shop_put'))).toBe('session 2')
    expect(executed).toBe(1)
  })

  it('that breaks off a call is called again only if the tool is read-only', async () => {
    for (const [tool, expected] of [
      [TOOL, 2],
      [WRITE, 1],
    ] as const) {
      const answers = working([tool])
      let calls = 0
      const { url } = await olderHttpServer((exchange) => {
        if (exchange.message.method !== 'tools/call' || ++calls > 1) return answers(exchange)
        exchange.response.writeHead(200, { 'content-type': 'text/event-stream' })
        exchange.response.write(': begun\n\n')
        setTimeout(() => exchange.response.destroy(), 10)
      })
      const { call } = connect({ url }, TRUST)
      const result = await call(`shop_${tool.name}`)
      if (tool === TOOL) expect(result.ok).toBe(true)
      else expect(failure(result)).toMatchObject({ reason: 'unknown_outcome' })
      expect(calls).toBe(expected)
    }
  })

  it.each([
    ['a status of 502', 'unknown_outcome', 1],
    ['an end of the connection', 'unknown_outcome', 1],
    // A proxy returns this status too if it loses a server that has received the call.
    ['a status of 503', 'unknown_outcome', 1],
    ['a status of 429', 'disconnected', 3],
  ] as const)('that answers a write with %s: %s', async (what, reason, expected) => {
    const answers = working([WRITE])
    let calls = 0
    const { url } = await olderHttpServer((exchange) => {
      if (exchange.message.method !== 'tools/call') return answers(exchange)
      calls++
      if (what === 'an end of the connection') return void exchange.response.destroy()
      exchange.refuse(Number(what.slice(-3)), 'no')
    })
    expect(failure(await connect({ url }).call('shop_put'))).toMatchObject({ reason })
    expect(calls).toBe(expected)
  })

  it('that refuses a call because of too many requests keeps its session, and the model is asked to wait', async () => {
    const answers = working([WRITE])
    const methods: string[] = []
    const { url } = await olderHttpServer((exchange) => {
      methods.push(String(exchange.message.method))
      return exchange.message.method === 'tools/call' ? exchange.refuse(429, 'no') : answers(exchange)
    })
    expect(failure(await connect({ url }).call('shop_put'))).toMatchObject({
      reason: 'disconnected',
      retryable: true,
      message: 'The server of "shop_put" refused the call because of too many requests. Nothing was done. Try again later.',
    })
    expect(methods.filter((method) => method === 'initialize')).toHaveLength(1)
  })

  it('that ends its stream of notifications for good gets a new session and is listed again', async () => {
    const streams: ServerResponse[] = []
    const tools = [{ ...TOOL }]
    const { url, requests } = await olderHttpServer(working(tools), (response) => {
      streams.push(response)
      if (streams.length > 1) return response.writeHead(503).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('retry: 1\n\n')
    })
    const { source, call, reports } = connect({ url })
    await source.open()
    await expect.poll(() => streams.length).toBe(1)
    expect(shown(await call('shop_get'))).toBe('session 1')
    streams[0]?.end()
    await expect.poll(() => requests.filter((method) => method === 'GET')).toHaveLength(3)
    await expect.poll(() => reports.map(({ code }) => code)).toEqual(['disconnected'])
    tools.push({ ...TOOL, name: 'put' })
    expect(shown(await call('shop_get'))).toBe('session 2')
    await expect.poll(() => source.cards().map(({ name }) => name)).toEqual(['shop_get', 'shop_put'])
  })

  it('that is unreachable is reported, and used again when it is back', async () => {
    const first = await olderHttpServer(working([TOOL, WRITE]))
    const { source, call } = connect({ url: first.url }, TRUST)
    await source.open()
    await first.close()
    expect(failure(await call('shop_get'))).toMatchObject({ reason: 'disconnected', retryable: true })
    expect(failure(await call('shop_put'))).toMatchObject({ reason: 'disconnected', retryable: true })
    const again = createServer(first.server.listeners('request')[0] as never)
    await new Promise<void>((resolve) => again.listen(Number(new URL(first.url).port), '127.0.0.1', resolve))
    expect((await call('shop_put')).ok).toBe(true)
    again.closeAllConnections()
    again.close()
  })

  it.each(['application/json', 'text/event-stream'])(
    'that answers with 50 MB of %s is refused, and the error names it',
    async (type) => {
      const answers = working()
      const { url } = await olderHttpServer((exchange) => {
        if (exchange.message.method !== 'tools/call') return answers(exchange)
        const { response, message } = exchange
        response.writeHead(200, { 'content-type': type })
        const content = [{ type: 'text', text: 'x'.repeat(50_000_000) }]
        const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content } })
        response.on('error', () => {})
        response.end(type === 'application/json' ? body : `event: message\ndata: ${body}\n\n`)
      })
      const { call } = connect({ url }, { ...TRUST, maxAnswerBytes: 1_000_000 })
      expect(failure(await call('shop_get'))).toMatchObject({
        reason: 'answer_too_large',
        message: expect.stringContaining('1000000 bytes'),
      })
    },
  )

  it('may send many events over a long time', async () => {
    const answers = working()
    const { url } = await olderHttpServer((exchange) => {
      if (exchange.message.method !== 'tools/call') return answers(exchange)
      const { response, message } = exchange
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let event = 0; event < 100; event++) response.write(`: ${'x'.repeat(1_000)}\n\n`)
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: [] } })}\n\n`)
    })
    expect((await connect({ url }, { maxAnswerBytes: 10_000 }).call('shop_get')).ok).toBe(true)
  })

  it.each(['{"jsonrpc":"2.0",', '[1]', 'null'])('that answers with %j fails the call at once', async (body) => {
    const answers = working([WRITE])
    const { url } = await olderHttpServer((exchange) => {
      if (exchange.message.method !== 'tools/call') return answers(exchange)
      exchange.response.setHeader('content-type', 'application/json')
      exchange.response.end(body)
    })
    expect(failure(await connect({ url }).call('shop_put'))).toMatchObject({ reason: 'invalid_answer' })
  })

  it('that sends an answer too slowly is abandoned at the deadline', async () => {
    const answers = working()
    const { url } = await olderHttpServer((exchange) => {
      if (exchange.message.method !== 'tools/call') return answers(exchange)
      exchange.response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => exchange.response.write(' '), 5)
      exchange.response.on('close', () => clearInterval(drip))
    })
    expect(failure(await connect({ url }, { timeoutMs: 100 }).call('shop_get'))).toMatchObject({ code: 'timeout' })
  })

  it('that does not answer at all is abandoned at the deadline for connecting', async () => {
    const { url } = await olderHttpServer(() => {})
    await expect(connect({ url }, { connectTimeoutMs: 100 }).source.open()).rejects.toMatchObject({ code: 'connect_timeout' })
  })

  it('that does not let a session end does not delay close', async () => {
    const answers = working()
    const hanging = await olderHttpServer(answers)
    hanging.server.removeAllListeners('request')
    hanging.server.on('request', (request, response) => {
      if (request.method === 'DELETE') return
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        if (request.method !== 'POST') return response.writeHead(405).end()
        const message = JSON.parse(body)
        const reply = (result: unknown) => {
          response.setHeader('content-type', 'application/json')
          response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
        }
        answers({ request, response, message, reply, refuse: (status) => response.writeHead(status).end() })
      })
    })
    const { source } = connect({ url: hanging.url })
    await source.open()
    await source.close()
    expect(source.server).toBeUndefined()
  })

  it('that was replaced by a server of another era is connected again', async () => {
    const newer = statelessServer([{ name: 'get' }])
    const older = await olderHttpServer(working())
    let isOlder = false
    const send: typeof fetch = (input, init) =>
      isOlder ? fetch(older.url, init) : (newer.server.fetch as typeof fetch)(input, init)
    const { source, call } = connect({ url: 'http://changing.test/mcp', fetch: send })
    const eras: (boolean | undefined)[] = []
    for (isOlder of [false, true, false]) {
      await source.close()
      expect((await call('shop_get')).ok).toBe(true)
      eras.push(source.server?.isStateless)
    }
    // A newer server also supports the older revision, so the change isn't noticed at once.
    expect(eras).toEqual([true, false, false])
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_001)
    await source.close()
    await source.open()
    expect(source.server?.isStateless).toBe(true)
    now.mockRestore()
  })

  it('of the oldest transport is reached over SSE', async () => {
    const { url, requests } = await sseServer(working())
    const { call } = connect({ url })
    expect((await call('shop_get')).ok).toBe(true)
    expect(requests.filter((method) => method === 'initialize')).toHaveLength(1)
  })

  it('that supports neither transport is reported with the reasons of both', async () => {
    const server = createServer((request, response) => void response.writeHead(request.method === 'GET' ? 410 : 405).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { source } = connect({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` })
    await expect(source.open()).rejects.toMatchObject({
      code: 'connect_failed',
      message: expect.stringMatching(/can't be reached: Streamable HTTP: HTTP 405: .*; SSE: .*\(410\)\. Check the url/),
    })
  })

  it('of the oldest transport has lost its session if its stream ends', async () => {
    const answers = working([TOOL, WRITE])
    let calls = 0
    const { url, requests, streams } = await sseServer((exchange) => {
      if (exchange.message.method === 'tools/call' && ++calls % 2 === 1) return void streams.at(-1)?.end()
      answers(exchange)
    })
    const { call, reports } = connect({ url }, { ...TRUST, timeoutMs: 10_000 })
    expect((await call('shop_get')).ok).toBe(true)
    expect(requests.filter((method) => method === 'initialize')).toHaveLength(2)
    expect(failure(await call('shop_put'))).toMatchObject({ reason: 'unknown_outcome' })
    expect((await call('shop_put')).ok).toBe(true)
    expect(requests.filter((method) => method === 'initialize')).toHaveLength(3)
    streams.at(-1)?.end()
    await expect.poll(() => reports.filter(({ code }) => code === 'disconnected')).toHaveLength(3)
  })

  it('leaves no socket open after many connections', async () => {
    const served = await olderHttpServer(working())
    const times = process.env.X_FULL ? 1_000 : 30
    for (let time = 0; time < times; time++) {
      const source = mcp('shop', { url: served.url })
      await source.open()
      await source.close()
    }
    // Some sockets remain, because the client keeps them alive for its next request.
    await expect.poll(() => new Promise((resolve) => served.server.getConnections((_, open) => resolve(open < 10)))).toBe(true)
    expect(served.requests.filter((method) => method === 'DELETE')).toHaveLength(times)
  })
})
