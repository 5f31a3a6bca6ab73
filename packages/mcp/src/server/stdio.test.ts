import { PassThrough } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { createRegistry } from '@x/registry'
import { defineTool, type Tool, type ToolContext } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { type ClientSettings, createClient } from '../../test/server/clients.ts'
import { serveMcp, type ToolServer } from './serve-mcp.ts'

const INFO = { name: 'test', version: '1.0.0' }

/** Connects a client to the server's standard input and output. */
async function connect(server: ToolServer, settings: ClientSettings, values?: object) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const ended = server.stdio({ input, output, values })
  const test = createClient(settings)
  // The server's transport reads and writes lines in the same way as a client's.
  await test.client.connect(new StdioServerTransport(output, input))
  return { ...test, ended, hangUp: () => input.end() }
}

function plain(name: string, parts: Partial<Tool> = {}): Tool {
  return defineTool({ name, description: `The tool ${name}.`, args: Type.Object({}), execute: () => name, ...parts } as never)
}

describe.each(['auto', 'legacy'] as const)('a client of the era "%s" over stdio', (era) => {
  it('lists and calls tools, with the values of the connection', async () => {
    const user = defineTool({
      name: 'user',
      description: 'The user.',
      args: Type.Object({}),
      context: Type.Object({ user: Type.String() }),
      execute: (_, { values }) => values.user,
    })
    const server = serveMcp([user], INFO)
    const { client, ended, hangUp } = await connect(server, { era }, { user: 'ann' })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['user'])
    expect((await client.callTool({ name: 'user' })).content).toEqual([{ type: 'text', text: 'ann' }])
    hangUp()
    await ended
  })

  it('is asked for an approval while the tool waits', async () => {
    const server = serveMcp([plain('remove', { needsApproval: true })], INFO)
    const { client, forms } = await connect(server, { era, answers: ['accept', 'decline'] })
    expect(await client.callTool({ name: 'remove' })).toMatchObject({ content: [{ text: 'remove' }] })
    expect(await client.callTool({ name: 'remove' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('denied') }],
    })
    expect(forms).toHaveLength(2)
    await server.close()
  })

  it('has time to answer, which does not count toward the deadline', async () => {
    const slow = plain('slow', {
      ...{ needsApproval: true, nested: true, timeoutMs: 5_000 },
      execute: async (_: object, context) => (context as ToolContext).ask(NAME),
    })
    const server = serveMcp([slow], INFO)
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const onForm = () => void vi.advanceTimersByTime(10_000)
      const { client } = await connect(server, { era, answers: ['accept', { name: 'Ann' }], onForm })
      expect(await client.callTool({ name: 'slow' })).toMatchObject({ content: [{ text: '{"name":"Ann"}' }] })
    } finally {
      vi.useRealTimers()
    }
    await server.close()
  })

  it('cancels a call', async () => {
    const aborted = vi.fn()
    const started = new Promise<void>((resolve) => {
      plainStarted = resolve
    })
    const hangs = plain('hangs', {
      execute: (_: object, context) =>
        new Promise((_resolve, reject) => {
          context?.signal?.addEventListener('abort', () => {
            aborted()
            reject(new Error('aborted'))
          })
          plainStarted()
        }),
    })
    const server = serveMcp([hangs], INFO)
    const { client } = await connect(server, { era })
    const abort = new AbortController()
    const call = client.callTool({ name: 'hangs' }, { signal: abort.signal })
    await started
    abort.abort()
    await expect(call).rejects.toThrow()
    await expect.poll(() => aborted.mock.calls.length).toBe(1)
    await server.close()
  })

  it('gets a notification when the list changes', async () => {
    const registry = createRegistry([plain('a')])
    const server = serveMcp(registry, INFO)
    const { client } = await connect(server, { era })
    const heard = new Promise<void>((resolve) =>
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
    )
    if (era === 'auto') await client.listen({ toolsListChanged: true })
    registry.register(plain('b'))
    await heard
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['a', 'b'])
    await server.close()
  })
})

const NAME = { key: 'name', message: 'What is your name?', schema: Type.Object({ name: Type.String() }) }

let plainStarted: () => void = () => {}

it('refuses a call by an earlier client that cannot be asked', async () => {
  const server = serveMcp([plain('remove', { needsApproval: true })], INFO)
  const { client } = await connect(server, { era: 'legacy' })
  expect(await client.callTool({ name: 'remove' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("can't be requested here. Tell the user. This client can't show approval forms") }],
  })
  await server.close()
})

it('ends with the client, aborts its calls and no longer follows changes', async () => {
  const registry = createRegistry([plain('a', { execute: () => new Promise(() => {}) })])
  const follow = vi.spyOn(registry, 'onChange')
  const server = serveMcp(registry, INFO)
  const { client, ended, hangUp } = await connect(server, {})
  const call = client.callTool({ name: 'a' })
  call.catch(() => {})
  hangUp()
  await ended
  await server.close()
  expect(follow).toHaveBeenCalledTimes(1)
})

it('refuses arguments over stdio that could change a prototype', async () => {
  const execute = vi.fn()
  const server = serveMcp([plain('any', { execute })], INFO)
  const [input, output] = [new PassThrough(), new PassThrough()]
  void server.stdio({ input, output })
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO }
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  input.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  input.write(
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"any","arguments":{"__proto__":{"polluted":true}}}}\n',
  )
  let text = ''
  for await (const piece of output) {
    text += piece
    if (text.includes('"id":2')) break
  }
  expect(text).toContain('__proto__ is a forbidden key')
  expect(execute).not.toHaveBeenCalled()
  await server.close()
})
