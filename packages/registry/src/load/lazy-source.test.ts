import type { Tool } from '@x/tool-core'
import { describe, expect, it, vi } from 'vitest'
import { createRegistry, thrownBy, toolNamed } from '../../test/tools.ts'
import type { ToolCard } from '../search/card.ts'
import type { LazySource } from './lazy-source.ts'
import { lazyToolset } from './lazy-toolset.ts'

/** Creates a source that lists the tools in its `list`. `change` replaces the list, as a server may while a client is connected. */
function sourceOf(name: string, first: readonly string[], isListed = true) {
  const listeners = new Set<() => void>()
  const cards = new Map<string, ToolCard>()
  const made = new Map<string, Tool>()
  let known: readonly ToolCard[] = []
  let names = first
  const read = () => {
    known = names.map((tool) => {
      const card = cards.get(tool) ?? { name: tool, description: `Does ${tool}.`, args: { type: 'object' } }
      cards.set(tool, card)
      return card
    })
  }
  if (isListed) read()
  const tools = vi.fn(async () => {
    read()
    return names.map((tool) => made.get(tool) ?? made.set(tool, toolNamed(tool)).get(tool)) as readonly Tool[]
  })
  const source: LazySource = {
    name,
    cards: () => known,
    tools,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const change = (next: readonly string[]) => {
    names = next
    read()
    for (const listener of listeners) listener()
  }
  return { source, tools, change, listeners }
}

describe('a source with cards', () => {
  it('is listed and searched without loading its tools', async () => {
    const { source, tools } = sourceOf('git', ['git_commit', 'git_push'])
    const registry = createRegistry([toolNamed('a'), source])
    expect(registry.names).toEqual(['a', 'git_commit', 'git_push'])
    expect((await registry.search('push')).map(({ name }) => name)).toEqual(['git_push'])
    expect(registry.cards()[1]).toEqual({ name: 'git_commit', description: 'Does git_commit.', args: { type: 'object' } })
    expect(tools).not.toHaveBeenCalled()
    expect([...(await registry.resolve('git_push')).keys()]).toEqual(['git_push'])
  })

  it('is loaded by the first look-up of one of its names if it has no cards yet', async () => {
    const { source, tools } = sourceOf('git', ['git_commit'], false)
    const registry = createRegistry([source])
    expect(registry.names).toEqual([])
    expect((await registry.resolve('git_*')).has('git_commit')).toBe(true)
    expect(tools).toHaveBeenCalledTimes(1)
  })

  it("can't take the name of another source's tool by being listed first", async () => {
    const shop = sourceOf('shop', ['shop_list', 'shop_eu_pay'], false)
    const europe = sourceOf('shop_eu', ['shop_eu_pay'], false)
    const registry = createRegistry([shop.source, europe.source, toolNamed('shop_own')])
    expect([...(await registry.resolve('shop_list', 'shop_own')).keys()]).toEqual(['shop_list', 'shop_own'])
    expect(europe.tools).not.toHaveBeenCalled()
    for (let round = 0; round < 2; round++) {
      await expect(registry.resolve('shop_eu_pay')).rejects.toThrow(
        'entry 0 (lazy toolset "shop") and entry 1 (lazy toolset "shop_eu") both use the name "shop_eu_pay"',
      )
      expect((await registry.execute({ id: '1', name: 'shop_eu_pay', args: {} })).ok).toBe(false)
    }
  })

  it('is the same toolset in two registries', () => {
    const { source } = sourceOf('git', ['git_commit'])
    const registry = createRegistry([source], { parent: createRegistry([source]) })
    expect(registry.merge(createRegistry([source])).names).toEqual(['git_commit'])
  })

  it("changes its part of the registry's list, and the registry reports the change", async () => {
    const { source, change } = sourceOf('git', ['git_commit', 'git_push'])
    const registry = createRegistry([toolNamed('a'), source, toolNamed('b')])
    const commit = registry.tool('git_commit')
    const heard = vi.fn()
    const stop = registry.onChange(heard)
    change(['git_push', 'git_rebase'])
    expect(heard).toHaveBeenCalledTimes(1)
    expect(registry.names).toEqual(['a', 'git_push', 'git_rebase', 'b'])
    expect((await registry.search('rebase')).map(({ name }) => name)).toEqual(['git_rebase'])
    expect(registry.has('git_commit')).toBe(false)
    await expect(commit.load()).rejects.toMatchObject({ code: 'not_found' })
    stop()
    change(['git_push'])
    expect(heard).toHaveBeenCalledTimes(1)
    expect(registry.names).toEqual(['a', 'git_push', 'b'])
  })

  it('changes the list even if a listener throws, and that error is thrown separately', () => {
    const thrown: unknown[] = []
    const queue = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((work) => {
      try {
        work()
      } catch (error) {
        thrown.push(error)
      }
    })
    const { source, change } = sourceOf('git', ['git_commit'])
    const registry = createRegistry([source])
    registry.onChange(() => {
      throw new Error('a listener')
    })
    registry.register(toolNamed('a'))
    change(['git_push'])
    queue.mockRestore()
    expect(registry.names).toEqual(['git_push', 'a'])
    expect(thrown).toEqual([new Error('a listener'), new Error('a listener')])
  })

  it('changes the list of a child registry too', () => {
    const { source, change } = sourceOf('git', ['git_commit'])
    const child = createRegistry([toolNamed('a')], { parent: createRegistry([source]) })
    const heard = vi.fn()
    child.onChange(heard)
    change(['git_push'])
    expect(heard).toHaveBeenCalledTimes(1)
    expect(child.names).toEqual(['a', 'git_push'])
  })

  it('keeps the entries of unchanged tools', async () => {
    const { source, change } = sourceOf('git', ['git_commit', 'git_push'])
    const registry = createRegistry([source])
    const push = (await registry.resolve('git_push')).get('git_push')
    change(['git_push', 'git_rebase'])
    expect(registry.get('git_push')?.tool).toBe(push)
  })

  it('does not bring back a tool that was removed or replaced in the registry', () => {
    const { source, change } = sourceOf('git', ['git_commit', 'git_push', 'git_reset'])
    const registry = createRegistry([source])
    const own = toolNamed('git_push')
    registry.unregister('git_reset')
    registry.replace(own)
    change(['git_push', 'git_reset', 'git_rebase'])
    expect(registry.names).toEqual(['git_rebase', 'git_push'])
    expect(registry.get('git_push')?.tool).toBe(own)
  })

  it('brings back a removed tool if it is registered again, and keeps it after a change', () => {
    const { source, change } = sourceOf('git', ['git_commit', 'git_push'])
    const registry = createRegistry([source])
    registry.unregister('git_push')
    registry.register(source)
    change(['git_commit', 'git_push', 'git_rebase'])
    expect(registry.names).toEqual(['git_commit', 'git_push', 'git_rebase'])
    registry.replace(toolNamed('git_push'))
    registry.replace(source)
    change(['git_commit', 'git_push'])
    expect(registry.names).toEqual(['git_commit', 'git_push'])
  })

  it('may have no tools when it is listed, and is listed again when it has some', async () => {
    const { source, change } = sourceOf('git', [], false)
    const registry = createRegistry([source])
    const heard = vi.fn()
    registry.onChange(heard)
    await registry.resolve()
    expect(heard).not.toHaveBeenCalled()
    change(['git_push'])
    expect(registry.names).toEqual(['git_push'])
    change([])
    await registry.resolve()
    change(['git_push'])
    expect([...(await registry.resolve()).keys()]).toEqual(['git_push'])
  })

  it('has its instructions as soon as it reports its tools', () => {
    const { source, change } = sourceOf('git', [], false)
    const registry = createRegistry([{ ...source, instructions: 'Commit often.' }])
    change(['git_push'])
    expect(registry.instructions).toEqual(['Commit often.'])
  })

  it('is not listed if it takes the name of another entry, and fails with both owners', async () => {
    const { source, change } = sourceOf('git', ['git_commit'])
    const registry = createRegistry([toolNamed('git_push'), source])
    change(['git_commit', 'git_push'])
    expect(registry.names).toEqual(['git_push'])
    await expect(registry.resolve('git_*')).rejects.toThrow(/entry 0 \(a tool\) and entry 1 \(lazy toolset "git"\) both use/)
    change(['git_commit'])
    expect(registry.names).toEqual(['git_push', 'git_commit'])
  })

  it('reports a tool that the source no longer has', async () => {
    const { source, tools } = sourceOf('git', ['git_commit', 'git_push'])
    const registry = createRegistry([source])
    tools.mockResolvedValueOnce([toolNamed('git_push')])
    await expect(registry.resolve('git_commit')).rejects.toMatchObject({ code: 'wrong_name' })
  })

  it.each([
    ['a card', { cards: () => [{ name: 'git_commit', args: 'object' as never }] }],
    ['its timeout', { loadTimeoutMs: Number.NaN }],
  ])('is refused if %s is invalid', (_, wrong) => {
    const { source } = sourceOf('git', ['git_commit'])
    expect(thrownBy(() => createRegistry([{ ...source, ...wrong }]))).toMatchObject({ code: 'invalid_entry' })
  })
})

describe('a lazy toolset whose source changes', () => {
  it('is listed again', async () => {
    const { source, change } = sourceOf('git', ['git_commit'])
    const registry = createRegistry([lazyToolset('git', async () => source)])
    await registry.resolve('git_*')
    const heard = vi.fn()
    registry.onChange(heard)
    change(['git_commit', 'git_push'])
    await expect.poll(() => heard.mock.calls.length).toBe(1)
    expect(registry.names).toEqual(['git_commit', 'git_push'])
    expect([...(await registry.resolve('git_*')).keys()]).toEqual(['git_commit', 'git_push'])
  })

  it('may have no tools at first', async () => {
    const { source, change } = sourceOf('git', [])
    const registry = createRegistry([lazyToolset('git', async () => source)])
    await registry.resolve()
    const heard = vi.fn()
    registry.onChange(heard)
    for (const names of [['git_push'], [], ['git_push', 'git_commit']]) {
      change(names)
      await expect.poll(() => heard).toHaveBeenCalled()
      heard.mockClear()
      expect(registry.names).toEqual(names)
    }
  })

  it('keeps its list while the source cannot be listed', async () => {
    const { source, change, tools } = sourceOf('git', ['git_commit'])
    const registry = createRegistry([lazyToolset('git', async () => source)])
    await registry.resolve('git_*')
    tools.mockRejectedValueOnce(new Error('offline'))
    change(['git_push'])
    expect(registry.names).toEqual(['git_commit'])
    change(['git_push'])
    await expect.poll(() => registry.names).toEqual(['git_push'])
  })

  it('has the cards that it was declared with', async () => {
    const { source } = sourceOf('git', ['git_commit'])
    const card = { name: 'git_commit', description: 'Records changes.', effect: 'write' } as const
    const registry = createRegistry([lazyToolset('git', async () => source, [card])])
    expect(registry.cards()).toEqual([card])
    expect((await registry.search('records')).map(({ name }) => name)).toEqual(['git_commit'])
  })
})
