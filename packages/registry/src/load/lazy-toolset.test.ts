import { describe, expect, it, vi } from 'vitest'
import { createRegistry, thrownBy, toolNamed } from '../../test/tools.ts'
import { lazy } from './lazy.ts'
import { lazyToolset } from './lazy-toolset.ts'

const memory = { name: 'memory', tools: () => [toolNamed('memory_store'), toolNamed('memory_list')] }

function loaderOf(given: unknown) {
  return vi.fn(async () => given as typeof memory)
}

describe('a lazy toolset', () => {
  it('is imported once, as soon as one of its tools is needed', async () => {
    const load = loaderOf({ default: memory })
    const registry = createRegistry([toolNamed('a'), lazyToolset('memory', load, ['memory_store', 'memory_list'])])
    expect(registry.names).toEqual(['a', 'memory_store', 'memory_list'])
    await registry.resolve('a')
    expect(load).not.toHaveBeenCalled()
    await Promise.all([registry.resolve('memory_store'), registry.resolve('memory_*')])
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('T1-25: is imported if it has no names and one of its tools may match a name or pattern', async () => {
    for (const pattern of ['memory_store', 'memory_*', 'mem*', undefined]) {
      const load = loaderOf(memory)
      const registry = createRegistry([toolNamed('a'), lazyToolset('memory', load)])
      expect(registry.names).toEqual(['a'])
      await registry.resolve('a')
      expect(load).not.toHaveBeenCalled()
      const tools = pattern === undefined ? await registry.resolve() : await registry.resolve(pattern as never)
      expect(tools.has('memory_store')).toBe(true)
      expect(registry.names).toEqual(['a', 'memory_store', 'memory_list'])
    }
  })

  it('has its instructions after the import', async () => {
    for (const names of [['memory_store', 'memory_list'] as const, undefined]) {
      const load = loaderOf({ ...memory, instructions: 'Store little.' })
      const other = { name: 'paint', instructions: 'Paint much.', tools: () => [toolNamed('paint_wall')] }
      const registry = createRegistry([lazyToolset('memory', load, names), other])
      expect(registry.instructions).toEqual(['Paint much.'])
      await registry.resolve('memory_store')
      expect(registry.instructions).toEqual(expect.arrayContaining(['Store little.', 'Paint much.']))
      expect(registry.instructionsFor(['memory_store', 'memory_list', '__proto__'])).toEqual(['Store little.'])
      expect(createRegistry([], { parent: registry }).instructionsFor(['memory_list'])).toEqual(['Store little.'])
    }
  })

  it('fails if its module throws, and is imported again the next time', async () => {
    const load = loaderOf(memory).mockRejectedValueOnce(new Error('offline'))
    const registry = createRegistry([lazyToolset('memory', load)])
    await expect(registry.resolve('memory_*')).rejects.toMatchObject({ code: 'load_failed', identifier: 'memory_*' })
    expect((await registry.resolve('memory_*')).size).toBe(2)
  })

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'invalid_module'],
    ['a tool', toolNamed('memory_store'), 'wrong_kind'],
    ['tools with other names', { tools: () => [toolNamed('store')] }, 'wrong_name'],
    ['tools it did not declare', { tools: () => [toolNamed('memory_list')] }, 'wrong_name'],
  ])('fails if it loads %s', async (_name, given, code) => {
    const registry = createRegistry([lazyToolset('memory', loaderOf(given), ['memory_store'])])
    await expect(registry.resolve('memory_store')).rejects.toMatchObject({ code })
  })

  it.each<[string, unknown, string]>([
    ['undeclared names', memory, 'Use only the names of tools in the toolset "memory".'],
    ['another name', { tools: () => [toolNamed('store')] }, 'Pass the name of the exported toolset to lazyToolset()'],
    ['no tools at all', {}, 'Make the toolset "memory" the module\'s default export.'],
  ])('fails with the fix for %s', async (_name, given, fix) => {
    const registry = createRegistry([lazyToolset('memory', loaderOf(given), ['memory_drop'])])
    await expect(registry.resolve('memory_drop')).rejects.toThrow(`🔧 To fix:\n  1. ${fix}`)
  })

  it('fails if a tool is expected', async () => {
    const registry = createRegistry([lazy('memory', loaderOf(memory) as never)])
    await expect(registry.resolve()).rejects.toMatchObject({ code: 'wrong_kind' })
  })

  it('fails if its tools already exist, and names both owners', async () => {
    const registry = createRegistry([toolNamed('memory_store'), lazyToolset('memory', loaderOf(memory))])
    await expect(registry.resolve('memory_*')).rejects.toMatchObject({
      message: expect.stringMatching(/entry 0 \(a tool\) and entry 1 \(lazy toolset "memory"\) both use the name "memory_store"/),
    })
  })

  it('fails together with the others: resolve and verify report every failure', async () => {
    const failing = (name: string) => lazyToolset(name, () => Promise.reject(new Error(`${name} is offline`)))
    const web = lazy('web', () => Promise.reject(new Error('web is offline')))
    const parent = createRegistry([failing('mail')])
    const registry = createRegistry([failing('shop'), lazyToolset('memory', loaderOf(memory)), failing('git'), web], { parent })
    const failures = ['shop', 'git', 'mail', 'web'].map((name) => ({ detail: `Its module threw: ${name} is offline` }))
    await expect(registry.resolve()).rejects.toMatchObject({ failures })
    await expect(registry.verify()).rejects.toMatchObject({ failures })
    await expect(registry.resolve('s*', 'git_push')).rejects.toMatchObject({ failures: failures.slice(0, 2) })
  })

  it('is validated at its declaration', () => {
    expect(thrownBy(() => lazyToolset('a b', loaderOf(memory)))).toMatchObject({ code: 'invalid_entry' })
    expect(thrownBy(() => lazyToolset('memory', loaderOf(memory), ['store' as never]))).toMatchObject({ code: 'invalid_entry' })
  })
})
