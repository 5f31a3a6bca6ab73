import { deriveTool } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { actionNamed, thrownBy, toolNamed } from '../test/tools.ts'
import { createRegistry } from './create-registry.ts'
import { lazy } from './load/lazy.ts'
import { lazyToolset } from './load/lazy-toolset.ts'
import type { Registry } from './registry-types.ts'

describe('register', () => {
  it('T2-1: adds tools, actions and toolsets while the program runs', () => {
    const registry = createRegistry([toolNamed('a')])
    const memory = { name: 'memory', tools: () => [toolNamed('memory_store')] }
    const wider = registry.register(actionNamed('b'), memory)
    expect(wider).toBe(registry)
    expect(registry.names).toEqual(['a', 'b', 'memory_store'])
    expect(registry.get('b')).toMatchObject({ name: 'b', kind: 'action' })
  })

  it('T2-29: stays consistent if many register at once, with duplicate names', async () => {
    const registry = createRegistry([])
    const early = registry.resolve()
    const adding = Array.from({ length: 200 }, async (_, index) => {
      for (let turn = 0; turn < index % 7; turn++) await null
      registry.register(toolNamed(`t${index % 100}`))
    })
    const outcomes = await Promise.allSettled(adding)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
    expect(refused).toEqual(Array(100).fill('duplicate_tool_name'))
    expect(new Set(registry.names)).toEqual(new Set((await registry.resolve()).keys()))
    expect([registry.names.length, registry.listAll().length, (await early).size]).toEqual([100, 100, 0])
  })

  it('T2-4: adds all entries or none', () => {
    const registry = createRegistry([toolNamed('a')])
    expect(thrownBy(() => registry.register(toolNamed('b'), {} as never, toolNamed('c')))).toMatchObject({
      code: 'invalid_entry',
      message: expect.stringMatching(/^register: entry 1 must be a tool/),
    })
    expect(thrownBy(() => registry.register(toolNamed('b'), toolNamed('A')))).toMatchObject({ code: 'duplicate_tool_name' })
    expect(registry.names).toEqual(['a'])
  })

  it('T2-9: refuses a name that is taken, names both owners, and keeps the first', () => {
    const first = toolNamed('read_file')
    const registry = createRegistry([first])
    expect(thrownBy(() => registry.register(toolNamed('read_file')))).toMatchObject({
      code: 'duplicate_tool_name',
      message:
        'register: entry 0 (a tool) and entry 0 of register call 1 (a tool) both use the name "read_file". Remove or rename one of them, or use replace.',
    })
    expect(registry.get('read_file')?.tool).toBe(first)
  })

  it('names both owners of a name if they came from two register calls', () => {
    const source = (name: string) => ({ name, tools: () => [toolNamed('read_file')] })
    const registry = createRegistry([]).register(source('files'))
    expect(thrownBy(() => registry.register(toolNamed('a'), source('disk')))).toMatchObject({
      message: expect.stringContaining(
        'entry 0 of register call 1 (toolset "files") and entry 1 of register call 2 (toolset "disk") both use the name "read_file"',
      ),
    })
  })

  it.each<[string, (registry: Registry) => unknown, string]>([
    [
      'a list of names',
      (registry) => registry.tools(['a'] as never),
      'tools: a name must be a string, got an array. Write registry.tools("name"',
    ],
    [
      'options',
      (registry) => registry.tools({ category: 'x' } as never),
      'tools: a name must be a string, got a value of type object.',
    ],
    [
      'no name',
      (registry) => registry.tool({ name: 'a' } as never),
      'tool: a name must be a string, got a value of type object. Write registry.tool("name", options).',
    ],
    [
      'a source whose tools is a list',
      (registry) => registry.register({ name: 's', tools: [toolNamed('b')] } as never),
      'got a source with an array in place of tools(). Write tools: () => array.',
    ],
    [
      'a name in place of a tool',
      (registry) => registry.register('b' as never),
      `the string "b". Pass the tool itself, or registry.tool('b').`,
    ],
  ])('explains how to fix %s', (_, use, words) => {
    expect(thrownBy(() => use(createRegistry([toolNamed('a')])))).toMatchObject({
      code: 'invalid_entry',
      message: expect.stringContaining(words),
    })
  })

  it('T2-2: refuses an action as a tool, and a tool as an action', () => {
    const registry = createRegistry([])
    expect(thrownBy(() => registry.registerTool(actionNamed('a')))).toMatchObject({ code: 'not_a_tool' })
    expect(thrownBy(() => registry.registerAction(toolNamed('a') as never))).toMatchObject({ code: 'not_an_action' })
    expect(thrownBy(() => registry.registerTools([toolNamed('a'), actionNamed('b')]))).toMatchObject({ code: 'not_a_tool' })
    const workflow = deriveTool(actionNamed('c'), { kind: 'workflow' })
    expect(thrownBy(() => registry.registerTool(workflow))).toMatchObject({
      code: 'not_a_tool',
      message: 'registerTool: "c" is of kind "workflow", not "tool". Use register.',
    })
    expect(registry.names).toEqual([])
    registry
      .registerTool(toolNamed('a'))
      .registerTools([toolNamed('b')])
      .registerAction(actionNamed('c'))
      .registerActions([])
    expect(registry.names).toEqual(['a', 'b', 'c'])
  })

  it('T2-3: names the method and the fix if it is not passed an array of tools', () => {
    const registry = createRegistry([])
    expect(thrownBy(() => registry.registerTools(undefined as never))).toMatchObject({
      code: 'invalid_entry',
      message: 'registerTools: the argument must be an array, got undefined. Write registerTools([tool]) or registerTool(tool).',
    })
    expect(thrownBy(() => registry.registerAction(undefined as never))).toMatchObject({
      code: 'invalid_entry',
      message: expect.stringMatching(
        /^registerAction: entry 0 must be an action, got undefined\. Create it with defineAction\. To add toolsets/,
      ),
    })
    expect(thrownBy(() => registry.registerTools([toolNamed('a'), null as never]))).toMatchObject({
      message: expect.stringMatching(/^registerTools: entry 1 must be a tool, got null\. Create it with defineTool\./),
    })
    expect(registry.names).toEqual([])
  })

  it('T2-28: does not affect tools that were resolved before', async () => {
    const registry = createRegistry([toolNamed('a')])
    const before = await registry.resolveFor('early')
    registry.register(toolNamed('b'))
    registry.unregister('a')
    expect([...before.keys()]).toEqual(['a'])
    expect([...(await registry.resolveFor('late')).keys()]).toEqual(['b'])
  })
})

describe('unregister and clear', () => {
  it('T1-24, T2-8: remove one entry or all entries, which can be added again', () => {
    const registry = createRegistry([toolNamed('a'), toolNamed('b'), toolNamed('c')])
    expect(registry.unregister('b')).toBe(true)
    expect(registry.unregister('b')).toBe(false)
    expect(registry.names).toEqual(['a', 'c'])
    registry.clear()
    expect(registry.names).toEqual([])
    expect(registry.register(toolNamed('A')).names).toEqual(['A'])
  })

  it('remove an alias and keep the tool', () => {
    const registry = createRegistry([toolNamed('web_search')])
      .alias('Search', 'web_search')
      .alias('find', 'web_search')
    expect(registry.unregister('Search')).toBe(true)
    expect([registry.has('Search'), registry.has('find'), registry.has('web_search')]).toEqual([false, true, true])
    expect(registry.register(toolNamed('search')).names).toEqual(['web_search', 'search'])
  })

  it('alias refuses a target that is not a string, with the fix', () => {
    const tool = toolNamed('web_search')
    expect(() => createRegistry([tool]).alias('search', tool as never)).toThrow('Write registry.alias("alias", "name")')
  })

  it('report the removal of a lazy toolset whose tools are not known', () => {
    const registry = createRegistry([toolNamed('a'), lazyToolset('memory', async () => ({ default: { tools: () => [] } }))])
    const changes: number[] = []
    registry.onChange(() => changes.push(registry.names.length))
    expect(registry.unregister('memory')).toBe(true)
    expect(registry.unregister('memory')).toBe(false)
    expect(changes).toEqual([1])
  })

  it('keep the spelling of a tool if a toolset of that name in another case is removed', () => {
    const toolset = lazyToolset('memory', async () => ({ default: { tools: () => [] } }))
    const registry = createRegistry([toolNamed('Memory'), toolset])
    registry.unregister('memory')
    expect(thrownBy(() => registry.register(toolNamed('memory')))).toMatchObject({ code: 'duplicate_tool_name' })
  })

  it('remove the aliases together with their entry', () => {
    const registry = createRegistry([toolNamed('web_search')]).alias('search', 'web_search')
    registry.unregister('web_search')
    expect(registry.has('search')).toBe(false)
    expect(registry.register(toolNamed('search')).names).toEqual(['search'])
  })
})

describe('replace', () => {
  it('is the only way to replace an entry', async () => {
    const registry = createRegistry([toolNamed('a'), toolNamed('b')])
    const other = toolNamed('a')
    registry.replace(lazy('a', async () => other))
    expect(registry.names).toEqual(['a', 'b'])
    expect((await registry.resolve('a')).get('a')).toBe(other)
  })

  it('refuses an entry if there is no entry to replace', () => {
    expect(thrownBy(() => createRegistry([toolNamed('weather')]).replace(toolNamed('wether')))).toMatchObject({
      code: 'not_found',
      message: 'replace: no entry is named "wether". Did you mean "weather"?',
    })
  })

  it('names the place of a tool that is not in the own list, as alias does', () => {
    const parent = createRegistry([toolNamed('a')], { name: 'framework' })
    const resolver = { name: 'plugins', find: () => undefined, names: () => ['b'] }
    const child = createRegistry([], { parent, resolvers: [resolver] })
    const words = '"a" is not an entry of this registry. It belongs to Registry "framework". Change it there, or register'
    for (const change of [() => child.replace(toolNamed('a')), () => child.alias('x', 'a')]) {
      expect(thrownBy(change)).toMatchObject({ code: 'not_found', message: expect.stringContaining(words) })
    }
    expect(thrownBy(() => child.replace(toolNamed('b')))).toMatchObject({
      message: expect.stringContaining('It belongs to Resolver "plugins".'),
    })
    expect(child.unregister('a')).toBe(false)
  })

  it('does not replace an alias', () => {
    const registry = createRegistry([toolNamed('a')]).alias('b', 'a')
    expect(thrownBy(() => registry.replace(toolNamed('b')))).toMatchObject({
      message: expect.stringMatching(/^replace: no entry is named "b"/),
    })
  })
})

describe('alias', () => {
  it('is a second name for a tool', async () => {
    const registry = createRegistry([lazy('web_search', async () => toolNamed('web_search'))]).alias('search', 'web_search')
    expect(registry.names).toEqual(['web_search'])
    expect(registry.has('search')).toBe(true)
    expect([...(await registry.resolve('search')).keys()]).toEqual(['web_search'])
  })

  it('may point to another alias, and then means the tool of that alias', async () => {
    const registry = createRegistry([toolNamed('a')])
      .alias('b', 'a')
      .alias('c', 'b')
    registry.unregister('b')
    expect([...(await registry.resolve('c')).keys()]).toEqual(['a'])
  })

  it('is refused for a name that is taken, and for an unknown tool', () => {
    const registry = createRegistry([toolNamed('a'), toolNamed('b')])
    expect(thrownBy(() => registry.alias('B', 'a'))).toMatchObject({ code: 'duplicate_tool_name' })
    expect(thrownBy(() => registry.alias('c', 'd' as never))).toMatchObject({ code: 'not_found' })
    expect(thrownBy(() => registry.alias('a b', 'a'))).toMatchObject({ code: 'invalid_entry' })
    const aliased = registry.alias('c', 'a')
    expect(thrownBy(() => aliased.register(toolNamed('C')))).toMatchObject({
      message: expect.stringContaining('an alias of "a" and entry 0 of register call 1 (a tool)'),
    })
  })
})

describe('listings', () => {
  it('T2-6: are sorted by name and separated by kind', async () => {
    const registry = createRegistry([toolNamed('c'), actionNamed('b'), lazy('a', async () => actionNamed('a'))])
    expect(registry.listAll().map(({ name, kind }) => [name, kind])).toEqual([
      ['a', 'lazy'],
      ['b', 'action'],
      ['c', 'tool'],
    ])
    expect(registry.listTools().map(({ name }) => name)).toEqual(['c'])
    expect(registry.listActions().map(({ name }) => name)).toEqual(['b'])
    await registry.preload('a')
    expect(registry.listActions().map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('T2-6: are empty for an empty registry', () => {
    const registry = createRegistry([])
    expect([registry.listAll(), registry.listTools(), registry.listActions()]).toEqual([[], [], []])
  })

  it('T2-5: get returns undefined for an unknown name, and getOrThrow suggests similar names', () => {
    const registry = createRegistry([toolNamed('get_weather')])
    expect(registry.get('get_wether')).toBeUndefined()
    expect(thrownBy(() => registry.getOrThrow('get_wether' as never))).toMatchObject({
      code: 'not_found',
      suggestions: ['get_weather'],
    })
    expect(registry.getOrThrow('get_weather').kind).toBe('tool')
  })

  it.each(['constructor', 'toString', '__proto__', 'valueOf'])('do not contain %s', (name) => {
    const registry = createRegistry([toolNamed('a')])
    expect([registry.has(name), registry.get(name), registry.find(name)]).toEqual([false, undefined, undefined])
  })

  it('T2-7: contain the specs of tools and actions, in order', async () => {
    const registry = createRegistry([actionNamed('b'), lazy('a', async () => toolNamed('a'))])
    const specs = await registry.toRequestTools()
    expect(specs.map((spec) => spec.function.name)).toEqual(['b', 'a'])
    expect(new Set(specs.map((spec) => Object.keys(spec.function).join()))).toEqual(new Set(['name,description,parameters']))
  })
})
