import { describe, expect, it } from 'vitest'
import { createRegistry, thrownBy, toolNamed } from '../../test/tools.ts'
import { lazyToolset } from '../load/lazy-toolset.ts'
import type { Registry } from '../registry.ts'

describe('merge', () => {
  it('T2-27: takes the entries of another; the very same is no conflict', () => {
    const shared = toolNamed('shared')
    const [one, other] = [createRegistry([toolNamed('a'), shared]), createRegistry([shared, toolNamed('b')], { name: 'plugins' })]
    expect(one.merge(other).names).toEqual(['a', 'shared', 'b'])
    expect(other.names).toEqual(['shared', 'b'])
  })

  it('T2-27: refuses two of one name, naming both, and takes nothing', () => {
    const one = createRegistry([toolNamed('a')])
    const other = createRegistry([toolNamed('b'), toolNamed('a')], { name: 'plugins' })
    expect(thrownBy(() => one.merge(other))).toMatchObject({
      code: 'duplicate_tool_name',
      message: expect.stringContaining('entry 0 (a tool) and entry 1 (a tool) of registry "plugins" both bring the name "a"'),
    })
    expect(one.names).toEqual(['a'])
    expect(thrownBy(() => one.merge({} as Registry))).toMatchObject({ code: 'invalid_entry' })
  })

  it('takes the aliases along', async () => {
    const other = createRegistry([toolNamed('web_search')]).alias('search', 'web_search')
    const one = createRegistry([toolNamed('a')]).merge(other)
    expect([...(await one.resolve('search')).keys()]).toEqual(['web_search'])
    expect(one.merge(other).names).toEqual(['a', 'web_search'])
  })

  it('T2-27: refuses an alias for a name that is taken, naming both, and takes nothing', () => {
    const one = createRegistry([toolNamed('Search')])
    const other = createRegistry([toolNamed('b')], { name: 'plugins' }).alias('search', 'b')
    expect(thrownBy(() => one.merge(other))).toMatchObject({
      code: 'duplicate_tool_name',
      message:
        'merge: entry 0 (a tool) and an alias of "b" of registry "plugins" both bring names that differ only in case, "Search" and "search". Leave one out, or rename one.',
    })
    expect([one.names, one.has('b'), one.has('search')]).toEqual([['Search'], false, false])
    expect(one.register(toolNamed('b')).names).toEqual(['Search', 'b'])
  })

  it('takes what is in the parent of the other, behind what is its own, and not what is searched already', async () => {
    const [own, above] = [toolNamed('a'), toolNamed('a')]
    const base = createRegistry([above, toolNamed('b')]).alias('bee', 'b')
    const other = createRegistry([own], { parent: base })
    const one = createRegistry([]).merge(other)
    expect(one.names).toEqual(['a', 'b'])
    expect((await one.resolve('a')).get('a')).toBe(own)
    expect([...(await one.resolve('bee')).keys()]).toEqual(['b'])
    const sibling = createRegistry([], { parent: base })
    sibling.merge(other)
    base.unregister('b')
    expect(sibling.names).toEqual(['a'])
  })

  it('takes toolsets that were not imported yet', async () => {
    const memory = { name: 'memory', tools: () => [toolNamed('memory_store')] }
    const other = createRegistry([], { parent: createRegistry([lazyToolset('memory', async () => memory)]) })
    expect([...(await createRegistry([]).merge(other).resolve('memory_*')).keys()]).toEqual(['memory_store'])
  })

  it('with itself changes nothing', () => {
    const registry = createRegistry([toolNamed('a')]).alias('b', 'a')
    expect(registry.merge(registry).names).toEqual(['a'])
  })
})
