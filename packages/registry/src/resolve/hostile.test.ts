import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRegistry, thrownBy, toolNamed } from '../../test/tools.ts'
import { defineToolFactory } from '../load/factory.ts'
import { lazy } from '../load/lazy.ts'
import { lazyToolset } from '../load/lazy-toolset.ts'
import { searchTool } from '../search/search-tool.ts'
import type { NamedResolver } from './place.ts'

const call = (name: string) => ({ id: 'call_1', name, args: {} })

function saying(name: string, said: string) {
  return defineTool({ name, description: 'Probe.', args: Type.Object({}), execute: () => said })
}

function registryWith(resolver: Partial<NamedResolver>, entries: Parameters<typeof createRegistry>[0] = []) {
  return createRegistry(entries, { resolvers: [{ name: 'plugins', find: () => undefined, ...resolver }] })
}

describe('a resolver', () => {
  afterEach(() => void vi.useRealTimers())

  it('cannot hide a tool by returning one with another name', async () => {
    const own = toolNamed('a')
    const registry = registryWith({ find: (name) => (name === 'x' ? saying('a', 'evil') : undefined) }, [own])
    await expect(registry.resolve('a', 'x' as never)).rejects.toMatchObject({ code: 'wrong_name', identifier: 'x' })
    expect((await registry.resolve('a')).get('a')).toBe(own)
  })

  it('times out if it never settles', async () => {
    vi.useFakeTimers()
    const outcome = expect(registryWith({ find: () => new Promise(() => {}) }).resolve('x' as never)).rejects.toMatchObject({
      code: 'load_timeout',
    })
    await vi.advanceTimersByTimeAsync(10_000)
    await outcome
  })

  it('makes a call fail without a rejection if its names() throws', async () => {
    const names = () => {
      throw new Error('offline')
    }
    const registry = registryWith({ names }, [toolNamed('a')])
    expect(await registry.execute(call('a'))).toMatchObject({ ok: true })
    expect(await registry.execute(call('b'))).toMatchObject({ ok: false, error: { code: 'execution_failed' } })
    await expect(registry.resolve('b*' as never)).rejects.toMatchObject({ name: 'ToolResolutionError', code: 'load_failed' })
  })

  it('T1-13: precedes the parent in a call, as in resolve', async () => {
    const parent = createRegistry([saying('x', 'parent')])
    const resolvers = [{ name: 'user', find: (name: string) => (name === 'x' ? saying('x', 'user') : undefined) }]
    expect(await createRegistry([], { parent, resolvers }).execute(call('x'))).toMatchObject({ output: 'user' })
  })

  it('must be called with the exact name before a similar name is used', async () => {
    const registry = registryWith({ find: (name) => (name === 'getWeather' ? saying(name, 'exact') : undefined) }, [
      saying('get_weather', 'other'),
    ])
    expect(await registry.execute(call('getWeather'))).toMatchObject({ output: 'exact', nameTags: [] })
  })
})

describe('an alias of the parent', () => {
  it('resolves to the tool of the parent, even if the list has a tool of that name', async () => {
    const parent = createRegistry([saying('a', 'parent')]).alias('x', 'a')
    const registry = createRegistry([saying('a', 'own')], { parent })
    expect(await registry.execute(call('x'))).toMatchObject({ output: 'parent', nameTags: ['alias'] })
    expect(await registry.execute(call('a'))).toMatchObject({ output: 'own' })
  })
})

describe('the names passed to resolve', () => {
  it.each<[string, unknown[]]>([
    ['undefined', [undefined]],
    ['null', [null]],
    ['a number', [42]],
  ])('never match everything: %s', async (_name, names) => {
    const registry = createRegistry([toolNamed('a')])
    await expect(registry.resolve(...(names as never[]))).rejects.toMatchObject({ code: 'not_found' })
    await expect(registry.resolveFor('agent', names as never)).rejects.toMatchObject({ code: 'not_found' })
    await expect(registry.resolveFor('agent', null as never)).rejects.toMatchObject({ code: 'invalid_entry' })
  })

  it('are shortened in errors when they are very long', async () => {
    const registry = createRegistry([toolNamed('a')])
    for (const name of ['_'.repeat(100_000), 'a'.repeat(1_000_000), `${' '.repeat(100_000)}*`]) {
      const error = await registry.resolve(name as never).catch((thrown: unknown) => thrown)
      expect((error as Error).message.length).toBeLessThan(1_000)
      expect((error as { plain: string }).plain.length).toBeLessThan(1_000)
    }
  })

  it('do not confuse v_1_1 with v11', () => {
    expect(createRegistry([toolNamed('v11')]).find('v_1_1')).toBeUndefined()
    expect(createRegistry([toolNamed('v_1_1')]).find('v-1-1')?.name).toBe('v_1_1')
  })
})

describe('a change', () => {
  it('leaves no name behind if it fails, even if the names are read meanwhile', async () => {
    const registry = createRegistry([toolNamed('a')])
    const nosy = {
      tools: () => {
        expect(registry.names).toEqual(['a'])
        throw new Error('no')
      },
    }
    expect(thrownBy(() => registry.register(toolNamed('b'), nosy as never))).toBeInstanceOf(Error)
    expect(registry.names).toEqual(['a'])
    expect((await registry.resolve()).size).toBe(1)
  })

  it('is refused if it replaces an entry with nothing, or with two tools of the same name', () => {
    const registry = createRegistry([toolNamed('a')])
    const two = { tools: () => [toolNamed('a'), toolNamed('a')] }
    for (const entry of [{ tools: () => [] }, two, lazyToolset('m', async () => two)]) {
      expect(thrownBy(() => registry.replace(entry))).toMatchObject({ code: 'invalid_entry' })
    }
  })

  it('is refused if it adds two lazy toolsets with the same name', () => {
    const toolset = () => lazyToolset('m', async () => ({ tools: () => [] }))
    expect(thrownBy(() => createRegistry([toolset(), toolset()]))).toMatchObject({ code: 'duplicate_tool_name' })
  })
})

describe('a lazy toolset', () => {
  const offline = lazyToolset('web', () => Promise.reject(new Error('offline')))

  it('is not imported for a known name', async () => {
    expect((await createRegistry([toolNamed('web_search'), offline]).resolve('web_search' as never)).size).toBe(1)
  })

  it('fails with a conflict if its tools already exist', async () => {
    const again = lazyToolset('web', async () => ({ tools: () => [toolNamed('web_search')] }))
    await expect(createRegistry([toolNamed('web_search'), again]).resolve('web_*')).rejects.toMatchObject({ code: 'conflict' })
  })

  it('is imported when one of its tools is called', async () => {
    const memory = lazyToolset('memory', async () => ({ tools: () => [saying('memory_store', 'stored')] }))
    expect(await createRegistry([memory]).execute(call('memory_store'))).toMatchObject({ ok: true, output: 'stored' })
  })
})

describe('onResolve', () => {
  it('is called for a toolset too, and an error in it is not a failure to load', async () => {
    const onResolve = vi.fn()
    const memory = lazyToolset('memory', async () => ({ tools: () => [toolNamed('memory_store')] }))
    await createRegistry([memory], { onResolve }).resolve()
    expect(onResolve).toHaveBeenCalledWith(expect.objectContaining({ name: 'memory' }))
    const throwing = () => {
      throw new Error('metrics down')
    }
    const registry = createRegistry([lazy('a', async () => toolNamed('a'))], { onResolve: throwing })
    await expect(registry.resolve()).rejects.toThrow(/^metrics down$/)
  })
})

describe('a lazy tool in two registries', () => {
  it('is loaded for both after one has resolved it', async () => {
    const shared = lazy('a', async () => toolNamed('a'))
    const [one, other] = [createRegistry([shared]), createRegistry([shared])]
    await one.preload()
    expect(other.get('a')).toMatchObject({ kind: 'tool' })
    expect(other.listTools()).toHaveLength(1)
  })
})

describe('verify', () => {
  it('passes for a factory that gets its options from references', async () => {
    const factory = defineToolFactory({
      name: 'a',
      options: Type.Object({ key: Type.String() }),
      create: () => toolNamed('a'),
    })
    expect(await createRegistry([factory, toolNamed('b')]).verify()).toEqual([])
  })

  it('reports schemas and imports in one error', async () => {
    const broken = { ...toolNamed('a'), args: { type: 'object', properties: { n: { type: 'nonsense' } } } } as never
    const failing = lazy('b', () => Promise.reject(new Error('no')))
    await expect(createRegistry([broken, failing]).verify()).rejects.toMatchObject({
      failures: [{ identifier: 'b' }, { identifier: 'a' }],
    })
  })
})

describe('searchTool', () => {
  it('shortens long descriptions', async () => {
    const long = defineTool({ name: 'paint', description: 'Paint. '.repeat(10_000), args: Type.Object({}), execute: () => 1 })
    const { tools } = await searchTool(createRegistry([long]) as never).execute({ query: 'paint' })
    expect(tools[0]?.description.length).toBeLessThan(320)
  })
})

describe('a loader', () => {
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  }
  const trapped = () =>
    new Proxy(new Error('p'), {
      get: () => {
        throw new Error('in get')
      },
      getPrototypeOf: () => {
        throw new Error('in getPrototypeOf')
      },
    })

  it.each<[string, () => unknown]>([
    ['a revoked proxy', revoked],
    ['an error that throws when it is read', trapped],
    ['nothing', () => undefined],
    ['a symbol', () => Symbol('x')],
  ])('fails like any other loader if it throws %s', async (_, thrown) => {
    const load = async () => {
      throw thrown()
    }
    const resolver = { find: () => Promise.reject(thrown()) }
    for (const registry of [createRegistry([lazy('x', load as never)]), registryWith(resolver)]) {
      await expect(registry.resolve('x' as never)).rejects.toMatchObject({ name: 'ToolResolutionError', code: 'load_failed' })
      expect(await registry.execute(call('x'))).toMatchObject({ ok: false, error: { code: 'execution_failed' } })
    }
  })

  it('has a short message even for a tool with a very long name', async () => {
    const load = async () => ({ ...toolNamed('x'), name: 'y'.repeat(10_000_000) })
    const registry = createRegistry([lazy('x', load as never)])
    const error: unknown = await registry.resolve('x').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'ToolResolutionError', code: 'wrong_name' })
    expect((error as Error).message.length).toBeLessThan(4_000)
  })

  it('has a short message even for a very long error, which is the cause', async () => {
    const book = new Error('x'.repeat(10_000_000))
    const registry = createRegistry([lazy('x', () => Promise.reject(book))])
    const error: unknown = await registry.resolve('x').catch((thrown: unknown) => thrown)
    expect((error as Error).message.length).toBeLessThan(4_000)
    expect(error).toMatchObject({ message: expect.stringContaining('[10000000 characters in total]'), cause: book })
  })
})

describe('a call whose name is not a string', () => {
  const name = {
    toString: () => {
      throw new Error('no text')
    },
  }

  it.each([name, Symbol('x'), null, undefined, 5])('fails without a rejection: %#', async (wrong) => {
    const registry = createRegistry([toolNamed('a')])
    expect(await registry.execute(call(wrong as never))).toMatchObject({ ok: false, error: { code: 'unknown_tool' } })
    await expect(registry.resolve(wrong as never)).rejects.toMatchObject({ name: 'ToolResolutionError', code: 'not_found' })
  })
})
