import { createRegistry, defineToolFactory, lazy } from '@x/registry'
import { defineAction, defineTool, image, jsonSchema, type Tool, type ToolSource, text } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { connect, send } from '../../test/server/clients.ts'
import { mcp } from '../client/mcp.ts'
import { serveMcp } from './serve-mcp.ts'

const INFO = { name: 'test', version: '1.0.0' }

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  args: Type.Object({ a: Type.Number(), b: Type.With(Type.Number(), { default: 1 }) }),
  effect: 'read',
  execute: ({ a, b = 1 }) => a + b,
})

function plain<Name extends string>(name: Name, parts: Partial<Tool> = {}): Tool<Name> {
  return defineTool({
    name,
    description: `The tool ${name}.`,
    args: Type.Object({}),
    execute: () => name,
    ...parts,
  } as never) as never
}

function textOf(content: readonly object[]): string {
  return (content[0] as { readonly text: string }).text
}

describe('the listing', () => {
  it('shows descriptions, schemas and what each effect means', async () => {
    const area = defineAction({
      name: 'area',
      description: 'Area of a square.',
      args: Type.Object({ side: Type.Number() }),
      output: Type.Object({ area: Type.Number() }),
      execute: ({ side }) => ({ area: side ** 2 }),
    })
    const effects = (['idempotent', 'write', 'destructive'] as const).map((effect) => plain(effect, { effect }))
    const { client } = await connect(serveMcp([add, area, ...effects], INFO))
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['add', { readOnlyHint: true }],
      ['area', undefined],
      ['idempotent', { readOnlyHint: false, destructiveHint: false, idempotentHint: true }],
      ['write', { readOnlyHint: false, destructiveHint: false, idempotentHint: false }],
      ['destructive', { readOnlyHint: false, destructiveHint: true }],
    ])
    expect(tools[0]).toMatchObject({
      description: 'Adds two numbers.',
      // A property with a default isn't required.
      inputSchema: { type: 'object', required: ['a'], properties: { b: { type: 'number', default: 1 } } },
    })
    expect(tools[1]?.outputSchema).toMatchObject({ type: 'object', properties: { area: { type: 'number' } } })
  })

  it('has pages, and continues after the last tool of a page even if the list has changed', async () => {
    const registry = createRegistry(['a', 'b', 'c', 'd'].map((name) => plain(name)))
    const server = serveMcp(registry, { ...INFO, pageSize: 2 })
    const first = await send(server, 'tools/list')
    expect(first.result).toMatchObject({ tools: [{ name: 'a' }, { name: 'b' }], ttlMs: 0, cacheScope: 'private' })
    registry.unregister('a')
    const second = await send(server, 'tools/list', { cursor: first.result?.nextCursor })
    expect(second.result).toMatchObject({ tools: [{ name: 'c' }, { name: 'd' }] })
    expect(second.result).not.toHaveProperty('nextCursor')
    const wrong = await send(server, 'tools/list', { cursor: 'a' })
    expect(wrong.error).toMatchObject({ code: -32602, message: expect.stringContaining('Invalid cursor') })
  })

  it('imports no lazy tool before it is called, and completes a missing schema afterwards', async () => {
    const load = vi.fn(async () => plain('late', { args: jsonSchema({ type: 'object', properties: { a: {} } }) } as never))
    const registry = createRegistry([
      lazy('described', load as never, {
        description: 'Has a card.',
        args: { type: 'object', properties: { b: {} } },
        effect: 'read',
      }),
      lazy('late', load, { arguments: ['a', { name: 'c', description: 'A letter.', values: ['x'] }] }),
    ])
    const { client } = await connect(serveMcp(registry, INFO))
    const { tools } = await client.listTools()
    expect(tools).toEqual([
      {
        name: 'described',
        description: 'Has a card.',
        inputSchema: { type: 'object', properties: { b: {} } },
        annotations: { readOnlyHint: true },
      },
      { name: 'late', inputSchema: { type: 'object', properties: { a: {}, c: { description: 'A letter.', examples: ['x'] } } } },
    ])
    expect(load).not.toHaveBeenCalled()
    await client.callTool({ name: 'late', arguments: {} })
    expect(load).toHaveBeenCalledTimes(1)
    expect((await client.listTools()).tools[1]).toMatchObject({ description: 'The tool late.' })
  })

  it('keeps every keyword of a schema', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { node: { $anchor: 'node', type: 'object', properties: { next: { $ref: '#node' } } } },
      properties: { node: { $ref: '#/$defs/node' } },
      allOf: [{ anyOf: [{ required: ['node'] }, {}] }],
      unevaluatedProperties: false,
    }
    const { client } = await connect(serveMcp([plain('keeps', { args: jsonSchema(schema) } as never)], INFO))
    expect((await client.listTools()).tools[0]?.inputSchema).toEqual(schema)
  })

  it('follows a source that changes, and notifies subscribed clients', async () => {
    const listeners = new Set<() => void>()
    let tools: Tool[] = [plain('before')]
    const source: ToolSource = {
      tools: async () => tools,
      open: vi.fn(async () => {}),
      close: vi.fn(async () => {}),
      onChange: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    const server = serveMcp(source, INFO)
    const { client } = await connect(server)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['before'])
    const heard = new Promise<void>((resolve) =>
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
    )
    const subscription = await client.listen({ toolsListChanged: true })
    tools = [plain('after')]
    for (const listener of listeners) listener()
    await heard
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['after'])
    await subscription.close()
    await server.close()
    expect(source.open).toHaveBeenCalledTimes(1)
    expect(source.close).toHaveBeenCalledTimes(1)
    expect(listeners.size).toBe(0)
  })
})

describe.each(['auto', 'legacy'] as const)('a call of a client of the era "%s"', (era) => {
  it('returns text, JSON and content parts', async () => {
    const data = plain('data', { execute: () => ({ a: 1 }) })
    const picture = plain('picture', {
      execute: () => 1,
      toModelOutput: () => [text('A picture.'), image({ mediaType: 'image/png', base64: 'AAAA' })],
    })
    const { client } = await connect(serveMcp([add, data, picture], INFO), { era })
    expect((await client.callTool({ name: 'add', arguments: { a: 1 } })).content).toEqual([{ type: 'text', text: '2' }])
    expect((await client.callTool({ name: 'data' })).content).toEqual([{ type: 'text', text: '{"a":1}' }])
    expect((await client.callTool({ name: 'picture' })).content).toEqual([
      { type: 'text', text: 'A picture.' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ])
  })

  it('returns structured content for a tool with an output schema', async () => {
    const output = Type.Object({ area: Type.Number() })
    const area = defineAction({
      name: 'area',
      description: 'Area.',
      args: Type.Object({}),
      output,
      execute: () => ({ area: 4 }),
      toModelOutput: ({ area }) => `${area} m²`,
    })
    const { client } = await connect(serveMcp([area], INFO), { era })
    await client.listTools()
    const { content, structuredContent } = await client.callTool({ name: 'area' })
    expect(structuredContent).toEqual({ area: 4 })
    expect(content).toEqual([{ type: 'text', text: '4 m²' }])
  })

  it('returns errors that a model can act on', async () => {
    const fails = plain('fails', {
      execute: () => {
        throw new Error('No connection to /var/lib/secret/socket')
      },
    })
    const errors: Error[] = []
    const { client } = await connect(serveMcp([add, fails], { ...INFO, onError: (error) => errors.push(error) }), { era })
    expect(await client.callTool({ name: 'add', arguments: { a: 'x' } })).toMatchObject({
      isError: true,
      content: [{ text: 'Invalid arguments for "add": /a must be number.' }],
    })
    expect(await client.callTool({ name: 'fails' })).toMatchObject({
      isError: true,
      content: [{ text: '"fails" failed: No connection to [path]' }],
    })
    expect(errors.at(-1)?.cause).toMatchObject({ message: 'No connection to /var/lib/secret/socket' })
  })

  it('refuses an unknown name, even a similar one', async () => {
    const { client } = await connect(serveMcp([add], INFO), { era })
    for (const name of ['Add', 'functions.add', 'ad', '__proto__']) {
      await expect(client.callTool({ name, arguments: { a: 1 } })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('Tools: add.'),
      })
    }
  })

  it('reports progress before the result', async () => {
    const slow = plain('slow', {
      async *execute() {
        yield { progress: 1, total: 3, message: 'one' }
        yield 2
        yield 2
        yield 'three'
        return 'done'
      },
    } as never)
    const { client } = await connect(serveMcp([slow], INFO), { era })
    const seen: unknown[] = []
    await client.callTool({ name: 'slow' }, { onprogress: (update) => seen.push(update) })
    expect(seen).toEqual([{ progress: 1, total: 3, message: 'one' }, { progress: 2 }, { progress: 3, message: 'three' }])
  })

  it('sends all progress before the result', async () => {
    const busy = plain('busy', {
      execute: (_: object, context) => {
        for (let step = 1; step <= 50; step++) context?.progress?.(step)
        return 'done'
      },
    })
    const { client } = await connect(serveMcp([busy], INFO), { era })
    const seen: unknown[] = []
    await client.callTool({ name: 'busy' }, { onprogress: ({ progress }) => seen.push(progress) })
    expect(seen).toHaveLength(50)
  })

  it('passes the values of `authorize` to the tools, and shows them to no client', async () => {
    const whoami = defineTool({
      name: 'whoami',
      description: 'Who calls.',
      args: Type.Object({}),
      context: Type.Object({ user: Type.String() }),
      execute: (_, { values }) => values.user,
    })
    const authorize = (request: Request) => ({ values: { user: request.headers.get('x-user') } })
    const server = serveMcp([whoami], { ...INFO, authorize })
    const ann = await connect(server, { era, headers: { 'x-user': 'ann' } })
    const bob = await connect(server, { era, headers: { 'x-user': 'bob' } })
    const stranger = await connect(server, { era })
    expect(JSON.stringify(await ann.client.listTools())).not.toContain('user')
    const [a, b] = await Promise.all([ann.client.callTool({ name: 'whoami' }), bob.client.callTool({ name: 'whoami' })])
    expect([a.content, b.content]).toMatchObject([[{ text: 'ann' }], [{ text: 'bob' }]])
    expect(await stranger.client.callTool({ name: 'whoami' })).toMatchObject({ isError: true })
  })

  it('ends a tool at its deadline', async () => {
    const hangs = plain('hangs', { timeoutMs: 20, execute: () => new Promise(() => {}) })
    const { client } = await connect(serveMcp([hangs], INFO), { era })
    expect(await client.callTool({ name: 'hangs' })).toMatchObject({
      isError: true,
      content: [{ text: '"hangs" did not finish within 20 ms.' }],
    })
  })
})

it('reports a tool that fails to load to the developer, and tries again at the next call', async () => {
  const load = vi.fn(async () => plain('late'))
  load.mockRejectedValueOnce(new Error('No such module: /srv/late.js'))
  const errors: Error[] = []
  const { client } = await connect(serveMcp([lazy('late', load)], { ...INFO, onError: (error) => errors.push(error) }))
  expect(await client.callTool({ name: 'late' })).toMatchObject({
    isError: true,
    content: [{ text: '"late" could not be loaded and was not run. Continue without it, or tell the user.' }],
  })
  expect(errors.map(({ message }) => message).join()).toContain('No such module: /srv/late.js')
  expect((await client.callTool({ name: 'late' })).content).toMatchObject([{ text: 'late' }])
})

it('creates the tool of a factory once', async () => {
  const create = vi.fn(() => plain('made'))
  const factory = defineToolFactory({ name: 'made', options: Type.Object({}), create: create as never })
  const { client } = await connect(serveMcp([factory], INFO))
  for (let call = 0; call < 2; call++) await client.callTool({ name: 'made' })
  expect(create).toHaveBeenCalledTimes(1)
})

it('gives each call a key and its own id', async () => {
  const keys = plain('keys', {
    execute: (_: object, context: { callId: string; idempotencyKey: string }) => ({ ...context }),
  } as never)
  const { client } = await connect(serveMcp([keys], INFO))
  const results = [await client.callTool({ name: 'keys' }), await client.callTool({ name: 'keys' })]
  const contexts = results.map(({ content }) => JSON.parse(textOf(content)) as { idempotencyKey: string })
  expect(contexts[0]?.idempotencyKey).not.toBe(contexts[1]?.idempotencyKey)
  expect(contexts[0]?.idempotencyKey).not.toBe('')
})

it('compares the headers for arguments with the arguments', async () => {
  const args = jsonSchema({
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  })
  const server = serveMcp([plain('deploy', { args } as never)], INFO)
  const call = { name: 'deploy', arguments: { region: 'eu' } }
  expect(await send(server, 'tools/call', call, { 'mcp-param-region': 'us' })).toMatchObject({
    status: 400,
    error: { code: -32020 },
  })
  const encoded = { 'mcp-name': `=?base64?${btoa('deploy')}?=` }
  expect(await send(server, 'tools/call', call, { 'mcp-param-region': 'us', ...encoded })).toMatchObject({ status: 400 })
  expect(await send(server, 'tools/call', call, { 'mcp-param-region': 'eu', ...encoded })).toMatchObject({ status: 200 })
  expect(await send(server, 'tools/call', call, { 'mcp-name': '=?base64?%?=' })).toMatchObject({ status: 400 })
  expect(await send(server, 'tools/call', call)).toMatchObject({ status: 400, error: { code: -32020 } })
  expect(await send(server, 'tools/call', call, { 'mcp-param-region': 'eu' })).toMatchObject({ status: 200 })
})

it('serves the tools of another MCP server, with their effects, parts and questions', async () => {
  const picture = plain('picture', {
    effect: 'read',
    execute: () => 1,
    toModelOutput: () => [image({ mediaType: 'image/png', base64: 'AAAA' })],
  })
  const upstream = serveMcp([add, picture, plain('remove', { needsApproval: true })], INFO)
  const { url } = await upstream.listen()
  const elicit = vi.fn(async () => ({ action: 'accept' as const, content: {} }))
  const gateway = serveMcp(mcp('up', { url }, { trust: ['readOnlyHint'], elicit }), INFO)
  const { client } = await connect(gateway)
  const { tools } = await client.listTools()
  expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
    ['up_add', { readOnlyHint: true }],
    ['up_picture', { readOnlyHint: true }],
    ['up_remove', undefined],
  ])
  expect((await client.callTool({ name: 'up_add', arguments: { a: 2 } })).content).toEqual([{ type: 'text', text: '3' }])
  expect((await client.callTool({ name: 'up_picture' })).content).toEqual([
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  ])
  expect((await client.callTool({ name: 'up_remove' })).content).toEqual([{ type: 'text', text: 'remove' }])
  expect(elicit).toHaveBeenCalledTimes(1)
  await gateway.close()
  await upstream.close()
})

it('sends the instructions of the server, or else those of the toolsets', async () => {
  const source = { tools: () => [add], instructions: 'Add numbers one pair at a time.' }
  const own = await connect(serveMcp([source], INFO))
  expect(own.client.getInstructions()).toBe('Add numbers one pair at a time.')
  const other = await connect(serveMcp([source], { ...INFO, instructions: 'Be quick.' }))
  expect(other.client.getInstructions()).toBe('Be quick.')
})

it('does not collect instructions for a request that gets none', async () => {
  const given = createRegistry([add])
  const instructions = vi.spyOn(given, 'instructions', 'get').mockReturnValue(['Be quick.'])
  const server = serveMcp(given, INFO)
  await send(server, 'tools/list')
  expect(instructions).not.toHaveBeenCalled()
  expect((await send(server, 'server/discover')).result).toMatchObject({ instructions: 'Be quick.' })
})

it.each([
  [{}, 'name must be'],
  [{ ...INFO, pageSize: 0 }, 'pageSize must be a whole number of at least 1, got 0.'],
  [{ ...INFO, stateKey: 'short' }, 'stateKey must be at least 32 bytes'],
  [{ ...INFO, allowedHosts: ['http://a.example:80'] }, 'allowedHosts must be a list of host names without scheme and port'],
  [
    { ...INFO, allowedOrigins: ['https://a.example/'] },
    'allowedOrigins must be a list of origins or host names, such as https://a',
  ],
  [{ ...INFO, allowedOrigins: ['https://a.example:443'] }, 'got "https://a.example:443"'],
  [{ ...INFO, allowedOrigins: 'a.example' }, 'got "a.example"'],
  [{ ...INFO, allowedOrigins: [undefined] }, 'got undefined'],
])('refuses the options %j', (options, message) => {
  expect(() => serveMcp([add], options as never)).toThrow(message)
})

it.each([
  [add, 'Pass [tool].'],
  [null, 'got null'],
  ['add', 'Pass a registry'],
])('refuses to serve %o', (given, message) => {
  expect(() => serveMcp(given as never, INFO)).toThrow(message)
})
