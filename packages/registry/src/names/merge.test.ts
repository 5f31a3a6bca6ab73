import { describe, expect, it } from 'vitest'
import { createRegistry, thrownBy, toolNamed } from '../../test/tools.ts'
import { lazyToolset } from '../load/lazy-toolset.ts'
import type { Registry } from '../registry-types.ts'

describe('merge', () => {
  it('T2-27: adds the entries of another registry, and skips identical ones', () => {
    const shared = toolNamed('shared')
    const [one, other] = [createRegistry([toolNamed('a'), shared]), createRegistry([shared, toolNamed('b')], { name: 'plugins' })]
    expect(one.merge(other).names).toEqual(['a', 'shared', 'b'])
    expect(other.names).toEqual(['shared', 'b'])
  })

  it('T2-27: refuses two entries with the same name, names both, and adds nothing', () => {
    const one = createRegistry([toolNamed('a')])
    const other = createRegistry([toolNamed('b'), toolNamed('a')], { name: 'plugins' })
    expect(thrownBy(() => one.merge(other))).toMatchObject({
      code: 'duplicate_tool_name',
      message: expect.stringContaining('entry 0 (a tool) and entry 1 (a tool) of registry "plugins" both use the name "a"'),
    })
    expect(one.names).toEqual(['a'])
    expect(thrownBy(() => one.merge({} as Registry))).toMatchObject({ code: 'invalid_entry' })
  })

  it('adds the aliases', async () => {
    const other = createRegistry([toolNamed('web_search')]).alias('search', 'web_search')
    const one = createRegistry([toolNamed('a')]).merge(other)
    expect([...(await one.resolve('search')).keys()]).toEqual(['web_search'])
    expect(one.merge(other).names).toEqual(['a', 'web_search'])
  })

  it('T2-27: refuses an alias for a name that is taken, names both, and adds nothing', () => {
    const one = createRegistry([toolNamed('Search')])
    const other = createRegistry([toolNamed('b')], { name: 'plugins' }).alias('search', 'b')
    expect(thrownBy(() => one.merge(other))).toMatchObject({
      code: 'duplicate_tool_name',
      message:
        'merge: entry 0 (a tool) and an alias of "b" of registry "plugins" both use names that differ only in case, "Search" and "search". Remove or rename one of them.',
    })
    expect([one.names, one.has('b'), one.has('search')]).toEqual([['Search'], false, false])
    expect(one.register(toolNamed('b')).names).toEqual(['Search', 'b'])
  })

  it('adds the entries of the other parent after its own, but none from places that are already searched', async () => {
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

  it('adds toolsets that are not imported yet', async () => {
    const memory = { name: 'memory', tools: () => [toolNamed('memory_store')] }
    const other = createRegistry([], { parent: createRegistry([lazyToolset('memory', async () => memory)]) })
    expect([...(await createRegistry([]).merge(other).resolve('memory_*')).keys()]).toEqual(['memory_store'])
  })

  it('changes nothing if a registry is merged with itself', () => {
    const registry = createRegistry([toolNamed('a')]).alias('b', 'a')
    expect(registry.merge(registry).names).toEqual(['a'])
  })
})
