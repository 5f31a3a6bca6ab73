import { callTool, type ToolResult } from '@x/tool-core'
import { describe, expect, it, vi } from 'vitest'
import { createRegistry, thrownBy, toolNamed } from '../../test/tools.ts'
import { lazy } from '../load/lazy.ts'
import type { Registry } from '../registry-types.ts'
import { foundNames, type SearchToolOptions, searchTool } from './search-tool.ts'

async function found(registry: Registry, options: SearchToolOptions = {}): Promise<ToolResult> {
  const tool = searchTool(registry, options)
  return callTool(tool as never, { id: 'call_1', name: tool.name, args: { query: 'probe' } })
}

describe('a tool that searches', () => {
  it('returns names, descriptions and arguments of matches, and omits empty fields', async () => {
    const result = await found(createRegistry([toolNamed('probe_a'), toolNamed('other')]), { limit: 1 })
    expect(result).toMatchObject({ ok: true, output: { tools: [{ name: 'probe_a', description: 'Probe.', arguments: [] }] } })
    expect(result.ok && Object.keys(result.output as object)).toEqual(['tools'])
  })

  it('neither returns nor imports tools that are not admitted, but lists them with a code and a message', async () => {
    const load = vi.fn(async () => toolNamed('probe_b'))
    const registry = createRegistry([toolNamed('probe_a'), lazy('probe_b', load), lazy('probe_c', load as never)])
    const result = await found(registry, { admit: (name) => name === 'probe_a' })
    expect(result).toMatchObject({
      ok: true,
      output: {
        tools: [{ name: 'probe_a' }],
        withheld: {
          code: 'max_revealed',
          names: ['probe_b', 'probe_c'],
          message: expect.stringMatching(/No more tools can be added/),
        },
      },
    })
    expect(load).not.toHaveBeenCalled()
    expect(foundNames(JSON.stringify(result.ok && result.output))).toEqual(['probe_a'])
  })

  it('returns only the instructions of the matching toolsets, shortened', async () => {
    const instructions = new Map([
      ['probe_a', 'Ask before you probe.'],
      ['other', 'Paint little.'],
      ['probe_b', 'x'.repeat(10_000)],
    ])
    const instructionsFor = (names: readonly string[]) => names.flatMap((name) => instructions.get(name) ?? [])
    const registry = Object.assign(createRegistry([toolNamed('probe_a'), toolNamed('probe_b'), toolNamed('other')]), {
      instructionsFor,
    })
    expect(await found(registry, { limit: 2 })).toMatchObject({
      output: { tools: [{}, {}], instructions: ['Ask before you probe.', `${'x'.repeat(4_000)}…`] },
    })
  })

  it.each<[string, unknown, string]>([
    ['limit', -1, 'limit must be an integer of at least 1, got -1'],
    ['limit', 0, 'limit must be an integer'],
    ['limit', Number.NaN, 'limit must be an integer'],
    ['limit', '5', 'limit must be an integer'],
    ['rank', 'embeddings', 'rank must be a function, got a value of type string'],
    ['filter', {}, 'filter must be a function, got a value of type object'],
    ['admit', 3, 'admit must be a function, got a value of type number'],
  ])('refuses the option %s: %j', (option, value, words) => {
    expect(thrownBy(() => searchTool(createRegistry([]), { [option]: value }))).toMatchObject({
      message: expect.stringContaining(words),
    })
  })
})

describe('foundNames', () => {
  it.each(['', 'null', '[]', '{"tools":{}}', '{"tools":[null,1,{"name":2}]}', 'not found'])('is empty for %j', (text) => {
    expect(foundNames(text)).toEqual([])
  })
})
