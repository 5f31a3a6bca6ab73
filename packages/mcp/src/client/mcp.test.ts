import { createRegistry, lazyToolset } from '@x/registry'
import { callTool, type Tool } from '@x/tool-core'
import { approvalRequired, filtered, prefixed } from '@x/toolset'
import { describe, expect, it, vi } from 'vitest'
import { connect, failure, shown } from '../../test/calls.ts'
import { type ServedTool, statelessServer } from '../../test/stateless-server.ts'
import { mcp } from './mcp.ts'

const sum: ServedTool = {
  name: 'get-sum',
  description: 'Adds two numbers.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  annotations: { readOnlyHint: true },
  call: ({ a, b }) => ({ content: [], structuredContent: { sum: Number(a) + Number(b) } }),
}

const named = (name: string): ServedTool => ({ name, description: `Does ${name}.` })

describe('an MCP source', () => {
  it('connects when its tools are needed, and calls them', async () => {
    const served = statelessServer([sum])
    const { source, call } = connect(served.server)
    expect(source.cards()).toEqual([])
    expect(served.requests).toEqual([])
    expect(await call('shop_get_sum', { a: 1, b: 2 })).toMatchObject({
      ok: true,
      output: { content: [], structuredContent: { sum: 3 } },
      modelOutput: '{"sum":3}',
    })
    expect(served.requests).toEqual(['server/discover', 'tools/list', 'tools/call'])
    expect(source.server).toEqual({ revision: '2026-07-28', isStateless: true, name: 'stateless', version: '1.2.3' })
    expect(source.toServerName('shop_get_sum')).toBe('get-sum')
  })

  it('validates arguments before a call', async () => {
    const served = statelessServer([sum])
    const { call } = connect(served.server)
    expect(failure(await call('shop_get_sum', { a: 'one', b: 2 })).code).toBe('invalid_arguments')
    expect(served.requests).not.toContain('tools/call')
  })

  it('is a lazy entry of a registry', async () => {
    const served = statelessServer([sum, named('pay')])
    const cards = [{ name: 'shop_get_sum', description: 'Adds two numbers.' }]
    const { source } = connect(served.server, { cards })
    const registry = createRegistry([source])
    expect((await registry.search('add numbers')).map(({ name }) => name)).toEqual(['shop_get_sum'])
    expect(served.requests).toEqual([])
    expect((await registry.resolve('shop_get_sum')).size).toBe(1)
    expect(registry.names).toEqual(['shop_get_sum', 'shop_pay'])
    expect(registry.cards()[0]).toMatchObject({ args: sum.inputSchema, output: sum.outputSchema })
  })

  it('keeps the cards of an earlier listing if nothing has changed', async () => {
    const first = connect(statelessServer([sum, named('pay')]).server)
    await first.source.open()
    const cards = JSON.parse(JSON.stringify(first.source.cards()))
    const { source, reports } = connect(statelessServer([sum, named('pay')]).server, { cards })
    const before = source.cards()
    await source.open()
    expect(source.cards()).toBe(before)
    expect(reports).toEqual([])
  })

  it('works with the wrappers of toolsets', async () => {
    const { source } = connect(statelessServer([sum, named('pay')], { listChanged: true }).server)
    const wrapped = approvalRequired(prefixed(filtered(source, ['shop_pay']), 'my'))
    const [tool, ...others] = await wrapped.tools()
    expect(others).toEqual([])
    const call = { id: '1', name: 'my_shop_pay', args: {} }
    expect(failure(await callTool(tool as Tool, call))).toMatchObject({ code: 'approval_required' })
    expect(shown(await callTool(tool as Tool, call, { approve: () => true }))).toBe('called pay')
    const registry = createRegistry([lazyToolset('my', async () => wrapped)])
    expect([...(await registry.resolve('my_*')).keys()]).toEqual(['my_shop_pay'])
    await wrapped.close?.()
  })

  it('with the same name as another one is refused by a registry, whose error names both', async () => {
    const [one, other] = [connect(statelessServer([sum]).server), connect(statelessServer([sum]).server)]
    expect(() => createRegistry([one.source, other.source])).toThrow(
      /entry 0 \(lazy toolset "shop"\) and entry 1 \(lazy toolset "shop"\) have the same name/,
    )
    await Promise.all([one.source.open(), other.source.open()])
    expect(() => createRegistry([one.source, other.source])).toThrow(/both use the name "shop_get_sum"/)
  })

  it('converts server names to tool names and back', async () => {
    const names = ['a.b', 'a-b', 'a_b', '日本', `x${'y'.repeat(100)}`]
    const { source } = connect(statelessServer(names.map(named)).server)
    const tools = (await source.tools()).map(({ name }) => name)
    expect(tools.every((name) => /^shop_[a-zA-Z0-9_]{1,59}$/.test(name))).toBe(true)
    expect(tools.map((name) => source.toServerName(name))).toEqual(names)
  })

  it('reports two tools with the same name, and keeps the first', async () => {
    const { source, reports } = connect(statelessServer([named('a'), { ...named('a'), description: 'Another.' }]).server)
    expect((await source.tools()).map(({ description }) => description)).toEqual(['Does a.'])
    expect(reports).toMatchObject([{ code: 'tool_refused', message: expect.stringContaining('two tools with this name') }])
  })

  it('reads all pages, and reports a repeated cursor', async () => {
    const tools = Array.from({ length: 1_001 }, (_, index) => named(`tool_${index}`))
    const { source } = connect(statelessServer(tools, { pageSize: 3 }).server)
    expect(await source.tools()).toHaveLength(1_001)
    const second = connect(statelessServer([named('a')], { cursor: 'again' }).server)
    await second.source.open()
    expect(second.reports).toMatchObject([{ code: 'repeated_cursor', server: 'shop' }])
  })

  it('leaves out tools whose definitions are invalid, and completes those without a type', async () => {
    const tools = [
      named('a'),
      { ...named('b'), inputSchema: { type: 5 } },
      { ...named('c'), inputSchema: {} },
      { name: 7 as never },
    ]
    const { source, reports } = connect(statelessServer(tools, { pageSize: 1 }).server)
    expect((await source.tools()).map(({ name, args }) => [name, args])).toEqual([
      ['shop_a', { type: 'object' }],
      ['shop_c', { type: 'object' }],
    ])
    expect(reports.map(({ code, message }) => [code, /"(b|7)"/.exec(message)?.[1]])).toEqual([
      ['tool_refused', 'b'],
      ['tool_refused', '7'],
    ])
  })

  it('lists tools even if onReport throws, and throws that error separately', async () => {
    const thrown: unknown[] = []
    const original = globalThis.queueMicrotask
    const queue = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((work) =>
      original(() => {
        try {
          work()
        } catch (error) {
          thrown.push(error)
        }
      }),
    )
    const onReport = () => {
      throw new Error('a listener')
    }
    const { source } = connect(statelessServer([named('a')], { cursor: 'again' }).server, { onReport })
    expect(await source.tools()).toHaveLength(1)
    await Promise.resolve()
    queue.mockRestore()
    expect(thrown).toEqual([new Error('a listener')])
  })

  it('returns an empty list for a server without tools, without writing to standard output', async () => {
    const debug = vi.spyOn(console, 'debug')
    const { source } = connect(statelessServer([]).server)
    expect(await source.tools()).toEqual([])
    expect(debug).not.toHaveBeenCalled()
    debug.mockRestore()
  })

  it('passes a schema on as the server wrote it', async () => {
    const inputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { place: { $ref: '#/$defs/place' } },
      $defs: { place: { $anchor: 'place', type: 'string' } },
      allOf: [{ if: { required: ['place'] }, else: { properties: { exact: { type: 'boolean' } } } }],
    }
    const { source } = connect(statelessServer([{ name: 'find', inputSchema }]).server)
    expect(JSON.parse(JSON.stringify((await source.tool('shop_find'))?.args))).toEqual(inputSchema)
  })

  it('derives an effect from trusted annotations only', async () => {
    const hints = [{ readOnlyHint: true }, { destructiveHint: true }, { idempotentHint: true }, { destructiveHint: false }, {}]
    const tools = hints.map((annotations, index) => ({ ...named(`tool_${index}`), annotations }))
    const effects = async (trust: readonly ('readOnlyHint' | 'idempotentHint' | 'destructiveHint')[]) => {
      const { source } = connect(statelessServer(tools).server, { trust })
      return (await source.tools()).map(({ effect }) => effect)
    }
    expect(await effects([])).toEqual([undefined, undefined, undefined, undefined, undefined])
    expect(await effects(['readOnlyHint'])).toEqual(['read', undefined, undefined, undefined, undefined])
    expect(await effects(['readOnlyHint', 'idempotentHint', 'destructiveHint'])).toEqual([
      ...['read', 'destructive', 'idempotent', 'write', undefined],
    ])
  })

  it('has the instructions of the server, unless they are switched off', async () => {
    const served = statelessServer([named('a')], { instructions: 'Be brief.' })
    const { source } = connect(served.server)
    expect(source.instructions).toBeUndefined()
    await source.open()
    expect(source.instructions).toBe('Be brief.')
    const silent = connect(served.server, { instructions: false })
    await silent.source.open()
    expect(silent.source.instructions).toBeUndefined()
  })

  it('can be opened again after it was closed', async () => {
    const served = statelessServer([named('a')])
    const { source } = connect(served.server)
    const [tool] = await source.tools()
    await source.close()
    expect(source.server).toBeUndefined()
    await expect(async () => tool?.execute({})).rejects.toMatchObject({ reason: 'disconnected' })
    await source.open()
    expect(await tool?.execute({})).toMatchObject({ content: [{ text: 'called a' }] })
  })

  it('sends a header for each parameter to which the schema assigns one', async () => {
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
    const served = statelessServer([{ name: 'find', inputSchema }])
    const { call } = connect(served.server)
    await call('shop_find', { region: 'north' })
    expect(served.headers?.get('mcp-param-region')).toBe('north')
  })
})

describe('the options', () => {
  it.each<[string, () => unknown]>([
    ['a name that is no identifier', () => mcp('my shop', { url: 'http://a.test' })],
    ['a long name', () => mcp('a'.repeat(33), { url: 'http://a.test' })],
    ['no server', () => mcp('shop', {} as never)],
    ['two servers', () => mcp('shop', { url: 'http://a.test', command: 'node' } as never)],
    ['another scheme', () => mcp('shop', { url: 'file:///etc' })],
    ['an unknown annotation', () => mcp('shop', { url: 'http://a.test' }, { trust: ['safeHint' as never] })],
    ['a deadline of 0', () => mcp('shop', { url: 'http://a.test' }, { timeoutMs: 0 })],
    ['half a retry', () => mcp('shop', { url: 'http://a.test' }, { maxRetries: 0.5 })],
  ])('refuse %s', (_what, create) => {
    expect(create).toThrow(expect.objectContaining({ name: 'McpError', code: 'invalid_option' }))
  })

  it('suggest a name that is valid', () => {
    expect(() => mcp('my-server', { url: 'http://127.0.0.1:1' })).toThrow(/starts the names of the tools\. Write "my_server"\.$/)
    expect(() => mcp('', { url: 'http://127.0.0.1:1' })).toThrow(/starts the names of the tools\.$/)
  })

  it('accept a url whose password has a percent sign, and remove the password from errors', async () => {
    const fetch = async () => {
      throw new Error('no answer for p%ssword-1')
    }
    const source = mcp('shop', { url: 'http://user:p%ssword-1@127.0.0.1:1', fetch })
    const error = await source.open().catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('no answer for [redacted]')
  })
})

describe('results', () => {
  const blocks = [
    { type: 'text', text: 'Seen.' },
    { type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
    { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt', mimeType: 'text/plain', description: 'Notes.' },
    { type: 'resource', resource: { uri: 'file:///b.txt', text: 'b' } },
    { type: 'resource', resource: { uri: 'file:///c.pdf?x=1', mimeType: 'application/pdf', blob: 'JVBERg==' } },
  ]

  it('become content parts', async () => {
    const { call } = connect(statelessServer([{ name: 'look', call: () => ({ content: blocks }) }]).server)
    expect(shown(await call('shop_look'))).toEqual([
      { type: 'text', text: 'Seen.' },
      { type: 'image', mediaType: 'image/png', source: { base64: 'iVBORw==' } },
      { type: 'file', mediaType: 'audio/wav', source: { base64: 'UklGRg==' } },
      { type: 'text', text: 'Link to a resource: a.txt <file:///a.txt>, text/plain: Notes.' },
      { type: 'text', text: 'Resource file:///b.txt:\nb' },
      { type: 'file', mediaType: 'application/pdf', source: { base64: 'JVBERg==' }, name: 'c.pdf' },
    ])
  })

  it('show data once that is in both a part and structuredContent', async () => {
    const data = 'iVBORw0KGgoAAAAN'.repeat(10)
    const result = {
      content: [{ type: 'image', data, mimeType: 'image/png' }],
      structuredContent: { width: 5, data },
    }
    const { call } = connect(statelessServer([{ name: 'look', call: () => result }]).server)
    expect(shown(await call('shop_look'))).toEqual([
      { type: 'image', mediaType: 'image/png', source: { base64: data } },
      { type: 'text', text: '{"width":5,"data":"[shown above]"}' },
    ])
  })

  it('show structuredContent once if a text part contains the same data', async () => {
    const result = { content: [{ type: 'text', text: '{ "b": 1, "a": [2] }' }], structuredContent: { a: [2], b: 1 } }
    const { call } = connect(statelessServer([{ name: 'look', call: () => result }]).server)
    expect(shown(await call('shop_look'))).toBe('{ "b": 1, "a": [2] }')
  })

  it.each([
    [[{ type: 'text', text: 'A note.' }], { content: 'A note.' }, 'A note.'],
    [[{ type: 'text', text: 'A note.' }], { content: 'A note.', lines: 1 }, 'A note.\n{"content":"A note.","lines":1}'],
    [[], { content: 'A note.' }, '{"content":"A note."}'],
    [[], 'A note.', '"A note."'],
  ])('with %j and the data %j are shown as %j', async (content, structuredContent, expected) => {
    const { call } = connect(statelessServer([{ name: 'look', call: () => ({ content, structuredContent }) }]).server)
    expect(shown(await call('shop_look'))).toBe(expected)
  })

  it('show no data that only wraps a part', async () => {
    const block = { type: 'image', data: 'iVBORw==', mimeType: 'image/png' }
    const result = { content: [block], structuredContent: { content: [block] } }
    const { call } = connect(statelessServer([{ name: 'look', call: () => result }]).server)
    expect(shown(await call('shop_look'))).toEqual([{ type: 'image', mediaType: 'image/png', source: { base64: 'iVBORw==' } }])
  })

  it('correct the media type image/jpg', async () => {
    const content = [{ type: 'image', data: 'AAAA', mimeType: 'image/jpg' }]
    const { call } = connect(statelessServer([{ name: 'look', call: () => ({ content }) }]).server)
    expect(shown(await call('shop_look'))).toEqual([{ type: 'image', mediaType: 'image/jpeg', source: { base64: 'AAAA' } }])
  })

  it('replace media that no model can read', async () => {
    const content = [{ type: 'image', data: 'AAAA', mimeType: 'png' }]
    const { call } = connect(statelessServer([{ name: 'look', call: () => ({ content }) }]).server)
    expect(shown(await call('shop_look'))).toBe("[The server sent png data that can't be read.]")
  })

  it('with isError are failures', async () => {
    const failing = { name: 'pay', call: () => ({ isError: true, content: [{ type: 'text', text: 'No money.' }] }) }
    const { call } = connect(statelessServer([failing]).server)
    expect(failure(await call('shop_pay'))).toMatchObject({
      code: 'execution_failed',
      reason: 'tool_failed',
      message: 'No money.',
    })
  })

  it.each([{ sum: 'three' }, {}, undefined])('with structuredContent %j that does not match are failures', async (data) => {
    const lying = { ...sum, call: () => ({ content: [], ...(data && { structuredContent: data }) }) }
    const { call } = connect(statelessServer([lying]).server)
    expect(failure(await call('shop_get_sum', { a: 1, b: 2 }))).toMatchObject({ code: 'invalid_output' })
  })

  it('that are nested too deeply are failures', async () => {
    let data: unknown = 1
    for (let level = 0; level < 600; level++) data = [data]
    const { call } = connect(statelessServer([{ name: 'look', call: () => ({ content: [], structuredContent: data }) }]).server)
    expect(failure(await call('shop_look'))).toMatchObject({ reason: 'invalid_answer' })
  })

  it('of a tool with an invalid output schema are never requested', async () => {
    const served = statelessServer([{ name: 'look', outputSchema: { type: 'object', $ref: 'https://example.com/other' } }])
    const { call } = connect(served.server)
    expect(failure(await call('shop_look'))).toMatchObject({
      reason: 'invalid_output_schema',
      message: expect.stringContaining('was not called, because its server declares an invalid output schema'),
    })
    expect(served.requests).not.toContain('tools/call')
  })

  it('of an unknown tool are refusals of the server', async () => {
    const served = statelessServer([named('a')])
    const { source } = connect(served.server)
    const [tool] = await source.tools()
    served.tools = []
    await expect(async () => tool?.execute({})).rejects.toMatchObject({ reason: 'call_refused' })
  })
})
