import { defineTool, type ToolSource } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { createRegistry } from '../test/tools.ts'
import { lazy } from './load/lazy.ts'
import { lazyToolset } from './load/lazy-toolset.ts'

function toolNamed<const Name extends string>(name: Name) {
  return defineTool({ name, description: 'Probe.', args: Type.Object({}), execute: () => name })
}

const memory = { name: 'memory', tools: () => [toolNamed('memory_store'), toolNamed('memory_list')] } satisfies ToolSource

function lazyWeb() {
  const load = vi.fn(async () => ({ default: toolNamed('web_search') }))
  return { load, entry: lazy('web_search', load) }
}

describe('resolve', () => {
  it('T1-1: imports nothing before it is called', () => {
    const { load, entry } = lazyWeb()
    const registry = createRegistry([entry])
    registry.tool('web_search')
    registry.tools()
    expect(registry.has('web_search')).toBe(true)
    expect(load).not.toHaveBeenCalled()
  })

  it('T1-21: loads a module that imports its own registry', async () => {
    const { registry } = await import('../test/circular-registry.ts')
    const tools = await registry.resolve('list_names')
    expect(await tools.get('list_names')?.execute({})).toEqual(['list_names'])
  })

  it('returns all tools in order if no name is passed', async () => {
    const registry = createRegistry([memory, lazyWeb().entry, toolNamed('a')])
    expect([...(await registry.resolve()).keys()]).toEqual(['memory_store', 'memory_list', 'web_search', 'a'])
  })

  it('imports only the named tools', async () => {
    const { load, entry } = lazyWeb()
    const tools = await createRegistry([entry, toolNamed('a')]).resolve('a')
    expect([...tools.keys()]).toEqual(['a'])
    expect(load).not.toHaveBeenCalled()
  })

  it('T1-25: expands a pattern to all tools with that prefix', async () => {
    const registry = createRegistry([toolNamed('a'), memory])
    expect([...(await registry.resolve('memory_*')).keys()]).toEqual(['memory_store', 'memory_list'])
  })

  it('returns a tool once even if it is named twice', async () => {
    const registry = createRegistry([memory])
    expect([...(await registry.resolve('memory_list', 'memory_*', 'memory_list')).keys()]).toEqual([
      'memory_list',
      'memory_store',
    ])
  })

  it('T3-14: returns a new map each time', async () => {
    const registry = createRegistry([toolNamed('a')])
    const first = (await registry.resolve()) as Map<string, unknown>
    first.clear()
    expect((await registry.resolve()).size).toBe(1)
  })
})

describe('resolveFor', () => {
  const registry = createRegistry([memory, toolNamed('a')])

  it('returns all tools, or the named ones', async () => {
    expect((await registry.resolveFor('agent')).size).toBe(3)
    expect([...(await registry.resolveFor('agent', ['a'])).keys()]).toEqual(['a'])
    expect((await registry.resolveFor('agent', ['memory_*'])).size).toBe(2)
  })

  it('returns no tools for an empty array', async () => {
    expect((await registry.resolveFor('agent', [])).size).toBe(0)
  })

  it('T2-25: rejects for an unknown name, and names the agent', async () => {
    await expect(registry.resolveFor('planner', ['b'])).rejects.toMatchObject({
      agent: 'planner',
      message: expect.stringContaining('❌ Tool not found: b (agent "planner")'),
    })
  })
})

describe('references', () => {
  it('load the named tool', async () => {
    const tool = toolNamed('a')
    const reference = createRegistry([tool]).tool('a')
    expect(reference.name).toBe('a')
    expect(await reference.load()).toBe(tool)
  })

  it('to several tools are created, one for each name', () => {
    const registry = createRegistry([memory, toolNamed('a')])
    expect(registry.tools('memory_*', 'a').map(({ name }) => name)).toEqual(['memory_store', 'memory_list', 'a'])
    expect(registry.tools().map(({ name }) => name)).toEqual(registry.names)
  })

  it('may be entries of another registry', async () => {
    const { load, entry } = lazyWeb()
    const outer = createRegistry([...createRegistry([entry]).tools(), toolNamed('a')])
    expect([...(await outer.resolve()).keys()]).toEqual(['web_search', 'a'])
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('may refer to a tool of a toolset that is not imported yet', async () => {
    const load = vi.fn(async () => ({ tools: () => [toolNamed('notes_add')] }))
    const reference = createRegistry([lazyToolset('notes', load)]).tool('notes_add', undefined, { as: 'add_note' })
    expect(load).not.toHaveBeenCalled()
    expect((await reference.load()).name).toBe('add_note')
  })

  it('fail at loading if the name is unknown', async () => {
    const registry = createRegistry([memory])
    await expect(registry.tool('memory_stor' as never).load()).rejects.toMatchObject({
      code: 'not_found',
      identifier: 'memory_stor',
    })
    await expect(registry.tool('memory_*' as never).load()).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('an array instead of names', () => {
  it('is refused by resolve and preload, with the fix', async () => {
    const registry = createRegistry([toolNamed('a')])
    for (const method of ['resolve', 'preload'] as const)
      await expect(registry[method](['a'] as never)).rejects.toMatchObject({
        code: 'invalid_entry',
        message: expect.stringContaining('got an array. Write registry.resolve("name", "prefix_*"); spread an array: ...names.'),
      })
  })

  it('is refused as the agent of resolveFor', async () => {
    const registry = createRegistry([toolNamed('a'), toolNamed('b')])
    await expect(registry.resolveFor(['a'] as never)).rejects.toMatchObject({
      code: 'invalid_entry',
      message: 'resolveFor: the agent must be a string, got an array. Write registry.resolveFor("agent", names).',
    })
  })
})
