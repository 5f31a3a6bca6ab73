import { describe, expect, it, vi } from 'vitest'
import { createRegistry, toolNamed } from '../test/tools.ts'
import type { RegistryEntry } from './entries.ts'
import { ToolResolutionError } from './errors.ts'
import { lazy } from './load/lazy.ts'
import { lazyToolset } from './load/lazy-toolset.ts'
import type { Registry } from './registry-types.ts'

async function failureOf(registry: Registry, ...names: string[]): Promise<ToolResolutionError> {
  const error = await registry.resolveFor('researcher', names).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ToolResolutionError)
  return error as ToolResolutionError
}

describe('ToolResolutionError', () => {
  it('T1-10, T1-11: has a message with four sections that names the agent', async () => {
    const registry = createRegistry([toolNamed('perplexity_search'), toolNamed('tavily_search')], { name: 'app' })
    const error = await failureOf(registry, 'search')
    expect(error.message).toBe(`❌ Tool not found: search (agent "researcher")

📂 Searched in:
  - Registry "app": perplexity_search, tavily_search

💡 Suggestions:
  - Did you mean "perplexity_search"?
  - Did you mean "tavily_search"?

🔧 To fix:
  1. Correct the name: 'perplexity_search'
  2. Or register a new tool: createRegistry([..., lazy('search', () => import('./search.js'))])
  3. Or pass the tool itself: tools: [search]`)
  })

  it('T1-10: has the data of the first failure', async () => {
    const error = await failureOf(createRegistry([toolNamed('perplexity')]), 'perplexty')
    expect(error).toMatchObject({
      code: 'not_found',
      identifier: 'perplexty',
      searched: ['Registry "registry": perplexity'],
      suggestions: ['perplexity'],
      agent: 'researcher',
    })
  })

  it('T1-10: has four sections even without suggestions', async () => {
    const { message } = await failureOf(createRegistry([]), 'search')
    expect(message).toContain('📂 Searched in:\n  - Registry "registry": empty')
    expect(message).toContain('💡 Suggestions:\n  (No suggestions available)')
    expect(message).toContain("🔧 To fix:\n  1. Register it: createRegistry([..., lazy('search', () => import('./search.js'))])")
    expect(new ToolResolutionError([{ code: 'not_found', identifier: 'a', searched: [], suggestions: [] }]).message).toContain(
      '📂 Searched in:\n  (none)',
    )
  })

  it('names no agent if the registry was called directly', async () => {
    await expect(createRegistry([]).resolve('search' as never)).rejects.toThrow(/^❌ Tool not found: search\n/)
  })

  it('T1-12: suggests at most three names', async () => {
    const registry = createRegistry(['a_search', 'b_search', 'c_search', 'd_search'].map(toolNamed))
    expect((await failureOf(registry, 'search')).suggestions).toEqual(['a_search', 'b_search', 'c_search'])
  })

  it('T1-22: contains all failures in the order of the request', async () => {
    const registry = createRegistry([
      lazy('slow', () => new Promise((_resolve, reject) => setImmediate(reject, new Error('slow failed')))),
      lazy('quick', () => Promise.reject(new Error('quick failed'))),
      toolNamed('fine'),
    ])
    const error = await failureOf(registry, 'missing', 'slow', 'fine', 'quick')
    expect(error.failures.map(({ code, identifier }) => [code, identifier])).toEqual([
      ['not_found', 'missing'],
      ['load_failed', 'slow'],
      ['load_failed', 'quick'],
    ])
    expect(error.message.match(/❌/g)).toHaveLength(3)
    expect(error.message.match(/🔧/g)).toHaveLength(3)
  })

  it('keeps the failure of the other registry, and names the agent', async () => {
    const inner = createRegistry([lazy('web', () => Promise.reject(new Error('offline')))], { name: 'inner' })
    const outer = createRegistry([inner.tool('web'), inner.tool('gone' as never)], { name: 'outer' })
    const error = await failureOf(outer, 'web', 'gone')
    expect(error.failures).toMatchObject([
      { code: 'load_failed', identifier: 'web', searched: ['Registry "inner": web'] },
      { code: 'not_found', identifier: 'gone', searched: ['Registry "inner": web'] },
    ])
    expect(error.message).toContain('❌ Tool not found: gone (agent "researcher")')
  })

  it.each<[string, RegistryEntry]>([
    ['a toolset', { name: 'memory', tools: () => [toolNamed('memory_store')] }],
    ['a lazy toolset', lazyToolset('memory', async () => ({ tools: () => [] }), ['memory_store'])],
    ['a lazy toolset that names no tools', lazyToolset('memory', async () => ({ tools: () => [] }))],
  ])('suggests the pattern for the name of %s', async (_name, toolset) => {
    const error = await failureOf(createRegistry([toolset]), 'memory')
    expect(error.suggestions[0]).toBe('memory_*')
    expect(error.message).toContain("1. Correct the name: 'memory_*'")
  })

  it('suggests no pattern if only names are accepted', async () => {
    const memory = { name: 'memory', tools: () => [toolNamed('memory_store')] }
    const error = await failureOf(createRegistry([createRegistry([memory]).tool('memory')]), 'memory')
    expect(error.suggestions).toEqual(['memory_store'])
  })

  it.each(['memroy_*', 'memorys_*', 'Memory_*'])('suggests the pattern that is similar to %s', async (wrong) => {
    const error = await failureOf(createRegistry([toolNamed('memory_store'), toolNamed('memory_list'), toolNamed('a')]), wrong)
    expect(error.suggestions[0]).toBe('memory_*')
    expect(error.message).toContain("1. Correct the name: 'memory_*'")
  })

  it('explains how to correct a pattern without matches', async () => {
    const { message } = await failureOf(createRegistry([toolNamed('a')]), 'my_memory_*')
    expect(message).toContain('1. Register a toolset with that name: createRegistry([..., myMemory])')
    expect(message).toContain('2. Or pass it directly: tools: [myMemory]')
  })

  it.each(['data:text/javascript,globalThis.evil=1', '../../evil.js', 'node:child_process', "'); globalThis.evil=1; ('", ''])(
    'neither loads nor quotes as code a text that is no name: %j',
    async (name) => {
      const load = vi.fn(async () => toolNamed('web'))
      const registry = createRegistry([lazy('web', load)])
      const error = await failureOf(registry, name)
      expect(error.failures).toMatchObject([{ code: 'not_found', identifier: name, suggestions: [] }])
      expect(load).not.toHaveBeenCalled()
      expect(globalThis).not.toHaveProperty('evil')
      expect(registry.names).toEqual(['web'])
      for (const words of [error.message, error.plain]) expect(words).not.toMatch(/import\(|createRegistry|tools: \[/)
    },
  )

  it('does not quote the pattern * as code', async () => {
    const error = await failureOf(createRegistry([]), '*')
    expect(error).toMatchObject({ code: 'not_found', identifier: '*' })
    expect(error.message).not.toContain('import(')
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('T2-10: does not find %s', async (name) => {
    expect(await failureOf(createRegistry([toolNamed('a')]), name)).toMatchObject({ code: 'not_found', identifier: name })
  })

  it('has a short message even in a registry of thousands', async () => {
    const registry = createRegistry(Array.from({ length: 5_000 }, (_, index) => toolNamed(`tool_number_${index}`)))
    const error = await failureOf(registry, 'search')
    expect(error.message.length).toBeLessThan(1_000)
    expect(error.searched[0]).toContain('(5000 in total)')
  })
})
