import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { actionNamed, createRegistry, toolNamed } from '../test/tools.ts'
import { lazy } from './load/lazy.ts'

const call = (name: string, args: Record<string, unknown> = {}) => ({ id: 'call_1', name, args })

describe('execute', () => {
  it('T2-11: calls a tool or an action by its name, with its context', async () => {
    const whoami = defineTool({
      name: 'whoami',
      description: 'Tells the user.',
      args: Type.Object({}),
      context: Type.Object({ user: Type.String() }),
      execute: (_args, { values }) => values.user,
    })
    const registry = createRegistry([whoami, actionNamed('act')])
    expect(await registry.execute(call('whoami'), { values: { user: 'ada' } })).toMatchObject({
      ok: true,
      output: 'ada',
      nameTags: [],
    })
    expect(await registry.execute(call('act'))).toMatchObject({ ok: true, output: { said: 'act' } })
  })

  it('calls a tool by its name and arguments, validated like any call', async () => {
    const store = defineTool({
      name: 'store',
      description: 'Stores.',
      args: Type.Object({ count: Type.Integer() }),
      context: Type.Object({ user: Type.String() }),
      execute: ({ count }, { values }) => `${values.user} ${count}`,
    })
    const registry = createRegistry([lazy('store', async () => store)])
    const execute = registry.execute as (name: string, args: object, options?: object) => Promise<unknown>
    expect(await execute.call(registry, 'store', { count: '2' }, { values: { user: 'ada' } })).toMatchObject({
      ok: true,
      output: 'ada 2',
      call: { name: 'store' },
      tags: [{ tag: 'coerced' }],
    })
    expect(await execute.call(registry, 'store', { count: 'x' })).toMatchObject({ error: { code: 'invalid_arguments' } })
    expect(await execute.call(registry, 'stroe', {})).toMatchObject({
      error: { message: expect.stringContaining('Did you mean "store"?') },
    })
  })

  describe('a call as a provider sends it', () => {
    const store = defineTool({
      name: 'store',
      description: 'Stores.',
      args: Type.Object({ key: Type.Optional(Type.String()), count: Type.Integer({ default: 1 }) }),
      execute: ({ key, count }) => `${key} ${count}`,
    })
    const registry = createRegistry([lazy('store', async () => store)])
    const raw = (text: string, name = 'store') => registry.execute({ id: 'call_1', name, arguments: text })

    it('may have its arguments as text', async () => {
      expect(await raw('{"key":"a","count":"2"}')).toMatchObject({
        ok: true,
        output: 'a 2',
        call: { id: 'call_1', name: 'store', args: { key: 'a', count: '2' } },
        tags: [{ tag: 'coerced', path: '/count' }],
      })
      expect(await raw('{"key":"a"}', 'functions.Store')).toMatchObject({ ok: true, nameTags: ['prefix', 'spelling'] })
    })

    it('by an alias has the name tag `alias`, even if its arguments cannot be parsed', async () => {
      const named = createRegistry([store]).alias('save', 'store')
      for (const text of ['{"count":"x"}', '{"key":'])
        expect(await named.execute({ id: 'call_1', name: 'save', arguments: text })).toMatchObject({
          ok: false,
          nameTags: ['alias'],
        })
    })

    it('may have no text for its arguments, and then gets a tag', async () => {
      expect(await raw(' ')).toMatchObject({ output: 'undefined 1', tags: [{ tag: 'defaulted', path: '' }, { path: '/count' }] })
    })

    it.each(['{"key":', '[1]', '"a"', '{"key":"a","key":"b"}', '{"count":12345678901234567890}', 'null', '['.repeat(600)])(
      'is reported to the model if it has %s, and does not run the tool with its defaults',
      async (text) => {
        const result = await raw(text)
        expect(result).toMatchObject({ ok: false, error: { code: 'invalid_arguments' }, call: { arguments: text } })
        expect(!result.ok && result.error.message).toBe(
          'The arguments of "store" must be a single JSON object, without duplicate keys and without numbers of more than 15 digits. Write them again.',
        )
      },
    )

    it('is reported to the model if its arguments are nested too deeply', async () => {
      const result = await raw(`${'{"a":'.repeat(600)}1${'}'.repeat(600)}`)
      expect(result).toMatchObject({ ok: false, error: { message: 'The arguments are nested deeper than 512 levels.' } })
    })
  })

  it.each([
    ['Chat Completions', { id: 'c', type: 'function', function: { name: 'a', arguments: '{}' } }],
    ['the AI SDK', { toolCallId: 'c', toolName: 'a', input: {} }],
    ['Anthropic', { type: 'tool_use', id: 'c', name: 'a', input: {} }],
  ])('explains how to pass a call of %s', async (_, given) => {
    expect(await createRegistry([toolNamed('a')]).execute(given as never)).toMatchObject({
      ok: false,
      error: {
        message: expect.stringContaining('AI SDK: { id: call.toolCallId, name: call.toolName, args: call.input }.'),
      },
    })
  })

  it.each<[string, object]>([
    ['an object in arguments', { arguments: {} }],
    ['text in args', { args: '{}' }],
    ['both', { args: {}, arguments: '{}' }],
  ])('explains arguments in the wrong property in one line: %s', async (_, given) => {
    expect(await createRegistry([toolNamed('a')]).execute({ id: 'c', name: 'a', ...given } as never)).toMatchObject({
      ok: false,
      error: {
        message: expect.stringContaining('are in the wrong property, or in both. Pass them parsed, as { id, name, args }'),
      },
    })
  })

  it('imports a lazy tool once, at its first call', async () => {
    const load = vi.fn(async () => toolNamed('web'))
    const registry = createRegistry([lazy('web', load)])
    const results = await Promise.all([registry.execute(call('web')), registry.execute(call('web'))])
    expect(results.map(({ ok }) => ok)).toEqual([true, true])
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('calls a resolver once, and then the tool that it returned', async () => {
    const find = vi.fn((name: string) => lazy(name, async () => toolNamed(name)))
    const registry = createRegistry([], { resolvers: [{ name: 'plugins', find }] })
    expect(await registry.execute(call('web'))).toMatchObject({ ok: true, output: 'web' })
    expect(find).toHaveBeenCalledTimes(1)
  })

  it.each(['constructor', '__proto__', 'get_wether'])('T2-14: reports %s as an unknown tool', async (name) => {
    const result = await createRegistry([toolNamed('get_weather')]).execute(call(name))
    expect(result).toMatchObject({ ok: false, error: { code: 'unknown_tool' } })
  })

  it.each(['data:text/javascript,globalThis.evil=1', '../../evil.js', 'node:child_process'])(
    'never loads anything for %s',
    async (name) => {
      const load = vi.fn(async () => toolNamed('web'))
      const registry = createRegistry([lazy('web', load)])
      expect(await registry.execute(call(name))).toMatchObject({ ok: false, error: { code: 'unknown_tool' } })
      await expect(registry.resolve(name as never)).rejects.toMatchObject({ code: 'not_found' })
      expect(load).not.toHaveBeenCalled()
    },
  )

  it.each(['*', 'we*', 'web*'])('does not treat %s as a pattern, and imports nothing', async (name) => {
    const load = vi.fn(async () => toolNamed('web'))
    expect(await createRegistry([lazy('web', load)]).execute(call(name))).toMatchObject({ error: { code: 'unknown_tool' } })
    expect(load).not.toHaveBeenCalled()
  })

  it('reports to the model that a tool is not available, and to the developer why', async () => {
    const cause = new Error('/srv/app/secret.js: no such module')
    const registry = createRegistry([lazy('web', () => Promise.reject(cause))])
    const result = await registry.execute(call('web'))
    expect(result).toMatchObject({ ok: false, error: { code: 'execution_failed', reason: 'load_failed', cause: { cause } } })
    expect(!result.ok && result.error.message).toBe(
      'The tool "web" is not available right now, because it could not be loaded. Continue without it.',
    )
  })

  it.each([undefined, null, {}, { name: 7 }])('returns an error for an invalid call: %o', async (wrong) => {
    expect(await createRegistry([toolNamed('a')]).execute(wrong as never)).toMatchObject({
      ok: false,
      error: { code: 'unknown_tool' },
    })
  })
})

describe('a name that a model spelled differently', () => {
  const registry = createRegistry([toolNamed('get_weather'), toolNamed('web_search')]).alias('lookup', 'web_search')

  it.each<[string, string, readonly string[]]>([
    ['get_weather', 'get_weather', []],
    ['GetWeather', 'get_weather', ['spelling']],
    ['get-weather', 'get_weather', ['spelling']],
    ['functions.get_weather', 'get_weather', ['prefix']],
    ['functions.getWeather', 'get_weather', ['prefix', 'spelling']],
    ['lookup', 'web_search', ['alias']],
    [' get_weather ', 'get_weather', ['spelling']],
  ])('%j is found as %s with tags', (wrong, name, tags) => {
    expect(registry.find(wrong)).toEqual({ name, tags })
  })

  it('is called, and the result contains the tags', async () => {
    expect(await registry.execute(call('functions.getWeather'))).toMatchObject({
      ok: true,
      call: { id: 'call_1', name: 'get_weather' },
      nameTags: ['prefix', 'spelling'],
    })
  })

  it('is not found if two tools match', () => {
    const two = createRegistry([toolNamed('get_weather'), toolNamed('getweather')])
    expect(two.find('get-weather')).toBeUndefined()
    expect(two.find('getweather')).toEqual({ name: 'getweather', tags: [] })
  })

  it.each(['', '_', '___', 'functions.', 'weather', 'x'.repeat(1_000_000), 7])('%s is not found', (wrong) => {
    expect(registry.find(wrong as string)).toBeUndefined()
  })
})
