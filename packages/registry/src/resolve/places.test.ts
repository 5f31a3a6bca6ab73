import { deriveTool } from '@x/tool-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createRegistry, thrownBy, toolNamed } from '../../test/tools.ts'
import { type LazyTool, lazy } from '../load/lazy.ts'
import { lazyToolset } from '../load/lazy-toolset.ts'
import { tool } from '../names/reference.ts'
import type { NamedResolver } from './place.ts'

function resolverOf(name: string, ...tools: readonly ReturnType<typeof toolNamed>[]): NamedResolver {
  return { name, find: (wanted) => tools.find((tool) => tool.name === wanted), names: () => tools.map((tool) => tool.name) }
}

describe('resolvers', () => {
  it('T1-13: are called in order, after the list and before the parent', async () => {
    const [own, user, framework, parent] = [toolNamed('a'), toolNamed('b'), toolNamed('c'), toolNamed('d')]
    const registry = createRegistry([own], {
      resolvers: [resolverOf('user', toolNamed('a'), user), resolverOf('framework', toolNamed('b'), framework)],
      parent: createRegistry([toolNamed('a'), toolNamed('c'), parent]),
    })
    const tools = await registry.resolve()
    expect([...tools.values()]).toEqual([own, user, framework, parent])
  })

  it('T1-10, T1-13: are listed as searched places, in order', async () => {
    const registry = createRegistry([toolNamed('a')], {
      name: 'app',
      resolvers: [resolverOf('user', toolNamed('b')), { name: 'plugins', find: () => undefined }],
      parent: createRegistry([], { name: 'framework' }),
    })
    await expect(registry.resolve('nothing' as never)).rejects.toMatchObject({
      searched: ['Registry "app": a', 'Resolver "user": b', 'Resolver "plugins"', 'Registry "framework": empty'],
    })
  })

  it('T1-15: can be mocked in a test, where undefined means not found', async () => {
    const mock = toolNamed('web_search')
    const find = vi.fn((name: string) => (name === 'web_search' ? Promise.resolve(mock) : undefined))
    const registry = createRegistry([], { resolvers: [{ name: 'mock', find }] })
    expect((await registry.resolve('web_search' as never)).get('web_search')).toBe(mock)
    await expect(registry.resolve('other' as never)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are listed from the start, and called when a tool is resolved', async () => {
    const registry = createRegistry([], { resolvers: [resolverOf('user', toolNamed('a'))] })
    expect(registry.get('a')).toEqual({ name: 'a', kind: 'lazy', tool: undefined })
    expect(registry.listAll()).toHaveLength(1)
    expect(registry.get('b')).toBeUndefined()
  })

  it('are validated when the registry is created, and so is its timeout', () => {
    expect(thrownBy(() => createRegistry([], { resolvers: [{} as never] }))).toMatchObject({ code: 'invalid_entry' })
    expect(thrownBy(() => createRegistry([], { loadTimeoutMs: Number.NaN }))).toMatchObject({ code: 'invalid_entry' })
  })

  it('T1-18: fail with the cause if they throw', async () => {
    const cause = new Error('disk')
    const find = () => {
      throw cause
    }
    const registry = createRegistry([], { resolvers: [{ name: 'broken', find }] })
    await expect(registry.resolve('a' as never)).rejects.toMatchObject({ code: 'load_failed', cause })
    const rejecting = createRegistry([], { resolvers: [{ name: 'broken', find: () => Promise.reject(cause) }] })
    await expect(rejecting.resolve('a' as never)).rejects.toMatchObject({ code: 'load_failed', cause })
  })

  it('T1-18: are named with the fix if they throw', async () => {
    const fail = () => {
      throw new Error('disk')
    }
    for (const [method, asked] of [
      ['find', 'a'],
      ['names', 'a*'],
    ] as const) {
      const resolver = { name: 'broken', find: () => undefined, [method]: fail }
      const error = await createRegistry([], { resolvers: [resolver] })
        .resolve(asked)
        .catch(String)
      expect(error).toContain(`   ${method}() of the resolver "broken" threw: disk`)
      expect(error).toContain(`1. Make sure that ${method}() of the resolver "broken" doesn't throw`)
    }
  })

  it('keep the failure of another registry that they call', async () => {
    const inner = createRegistry([lazy('a', () => Promise.reject(new Error('offline')))], { name: 'inner' })
    const find = async (name: string) => (await inner.resolve(name)).get(name)
    await expect(createRegistry([], { resolvers: [{ name: 'r', find }] }).resolve('a')).rejects.toMatchObject({
      failures: [{ code: 'load_failed', searched: ['Registry "inner": a'] }],
    })
  })

  it('T1-19: fail if they return something other than a tool', async () => {
    const registry = createRegistry([], { resolvers: [{ name: 'odd', find: () => ({}) as never }] })
    await expect(registry.resolve('a' as never)).rejects.toMatchObject({
      code: 'invalid_module',
      message: expect.stringContaining('1. Return a tool, a lazy() tool or undefined from find() of the resolver "odd".'),
    })
  })
})

describe('a parent', () => {
  it('T1-16: is not changed by its child', async () => {
    const [base, mine] = [toolNamed('a'), toolNamed('a')]
    const parent = createRegistry([base, toolNamed('b')])
    const child = createRegistry([mine], { parent })
    expect(child.names).toEqual(['a', 'b'])
    expect((await child.resolve('a')).get('a')).toBe(mine)
    expect((await parent.resolve('a')).get('a')).toBe(base)
  })

  it('adds later entries to its children', () => {
    const parent = createRegistry([])
    const child = createRegistry([toolNamed('a')], { parent })
    expect(child.names).toEqual(['a'])
    parent.register(toolNamed('b'))
    expect(child.names).toEqual(['a', 'b'])
    expect(child.has('b')).toBe(true)
  })

  it('may have a name that differs only in case, and a third spelling then matches neither', async () => {
    const [mine, base] = [toolNamed('Send'), toolNamed('send')]
    const child = createRegistry([mine], { parent: createRegistry([base]) })
    expect(child.names).toEqual(['Send', 'send'])
    expect([...(await child.resolve('Send', 'send')).values()]).toEqual([mine, base])
    expect(child.find('SEND')).toBeUndefined()
    expect(await child.execute({ id: 'call_1', name: 'SEND', args: {} })).toMatchObject({ ok: false })
  })

  it('provides the instructions of its toolsets', () => {
    const memory = { name: 'memory', instructions: 'Store little.', tools: () => [toolNamed('memory_store')] }
    expect(createRegistry([memory], { parent: createRegistry([memory]) }).instructions).toEqual(['Store little.'])
  })

  it('must be a registry', () => {
    expect(thrownBy(() => createRegistry([], { parent: {} as never }))).toMatchObject({ code: 'invalid_entry' })
  })
})

describe('onResolve', () => {
  it('reports the time in the loader and in the registry, once', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const onResolve = vi.fn()
    const slow = lazy(
      'slow',
      () => new Promise<ReturnType<typeof toolNamed<'slow'>>>((done) => setTimeout(() => done(toolNamed('slow')), 20)),
    )
    const registry = createRegistry([slow, toolNamed('ready')], { onResolve })
    const both = Promise.all([registry.resolve(), registry.resolve()])
    await vi.advanceTimersByTimeAsync(20)
    await both
    await registry.resolve()
    expect(onResolve).toHaveBeenCalledTimes(1)
    expect(onResolve).toHaveBeenCalledWith({ name: 'slow', loadMs: 20, overheadMs: 0 })
  })

  it.each([['memory_store'] as const, undefined])('names the toolset that was imported, with the names %j', async (names) => {
    const onResolve = vi.fn()
    const memory = { name: 'memory', tools: () => [toolNamed('memory_store')] }
    await createRegistry([lazyToolset('memory', async () => memory, names)], { onResolve }).resolve('memory_store')
    expect(onResolve.mock.calls.map(([{ name }]) => name)).toEqual(['memory'])
  })

  it('names the tool that was imported, not its name in a reference', async () => {
    const onResolve = vi.fn()
    const search = tool(lazy('search', async () => toolNamed('search')) as LazyTool, undefined, { as: 'quick' as string })
    await createRegistry([search], { onResolve }).resolve()
    expect(onResolve.mock.calls.map(([{ name }]) => name)).toEqual(['search'])
  })

  it('is called for a toolset that a call imports', async () => {
    const onResolve = vi.fn()
    const memory = { name: 'memory', tools: () => [toolNamed('memory_store')] }
    const registry = createRegistry([lazyToolset('memory', async () => memory)], { onResolve })
    expect(await registry.execute({ id: 'call_1', name: 'memory_store', args: {} })).toMatchObject({ ok: true })
    expect(onResolve.mock.calls.map(([{ name }]) => name)).toEqual(['memory'])
  })
})

describe('verify', () => {
  it('imports everything and reports all failures', async () => {
    const registry = createRegistry([
      toolNamed('a'),
      lazy('b', () => Promise.reject(new Error('no module'))),
      lazy('c', async () => toolNamed('d') as never),
    ])
    await expect(registry.verify()).rejects.toMatchObject({
      failures: [
        { identifier: 'b', code: 'load_failed' },
        { identifier: 'c', code: 'wrong_name' },
      ],
    })
    expect(await createRegistry([toolNamed('a')]).verify()).toEqual([])
  })

  it('returns hidden characters in texts for the model', async () => {
    const sly = deriveTool(toolNamed('a'), { description: 'Reads.\u200B\u{E0041} Says nothing.' })
    expect(await createRegistry([sly, toolNamed('b')]).verify()).toMatchObject([
      { tool: 'a', codePoint: 'U+200B', kind: 'zero_width' },
      { tool: 'a', codePoint: 'U+E0041', kind: 'tag' },
    ])
  })

  it('compiles the schemas', async () => {
    const broken = { ...toolNamed('a'), args: { type: 'object', properties: { n: { type: 'nonsense' } } } } as never
    await expect(createRegistry([broken]).verify()).rejects.toMatchObject({
      failures: [{ identifier: 'a', code: 'invalid_module' }],
      message: expect.stringContaining('1. Correct the args or the output schema of "a"'),
    })
  })
})
