import { callTool, type Tool, toSpec } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { MemoryToolset } from './memory.ts'

const HOSTILE = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']

function call(memory: MemoryToolset, name: string, args: Record<string, unknown> = {}) {
  const tool = memory.tools().find((candidate) => candidate.name === name) as Tool
  return callTool(tool, { id: '1', name, args })
}

async function filled() {
  const memory = new MemoryToolset()
  await memory.store({ key: 'color', value: 'Blue' })
  await memory.store({ key: 'blueprint', value: 'attic' })
  await memory.store({ key: 'city', value: 'Oslo' })
  return memory
}

describe('MemoryToolset', () => {
  it('T0-7: has its tools in order', () => {
    expect(new MemoryToolset().tools().map(({ name }) => name)).toEqual([
      'memory_store',
      'memory_retrieve',
      'memory_list',
      'memory_search',
      'memory_delete',
      'memory_clear',
    ])
  })

  it('T0-24: each tool has a description and an object schema', () => {
    for (const tool of new MemoryToolset().tools()) {
      const { description, parameters } = toSpec(tool).function
      expect(description).not.toBe('')
      expect(parameters).toMatchObject({ type: 'object', properties: expect.any(Object) })
    }
  })

  it('T0-8: store requires exactly a key and a value', () => {
    expect(toSpec(new MemoryToolset().tools()[0] as Tool).function.parameters).toMatchObject({ required: ['key', 'value'] })
  })

  it('stores and retrieves', async () => {
    const memory = new MemoryToolset()
    expect(await call(memory, 'memory_store', { key: 'color', value: 'blue' })).toMatchObject({
      output: "Stored 'color' successfully",
    })
    expect(await call(memory, 'memory_retrieve', { key: 'color' })).toMatchObject({ output: 'blue' })
  })

  it('gives null for a key that is not there', async () => {
    expect(await call(new MemoryToolset(), 'memory_retrieve', { key: 'color' })).toMatchObject({ ok: true, output: null })
  })

  it('stores in place of an earlier value', async () => {
    const memory = await filled()
    await memory.store({ key: 'color', value: 'red' })
    expect(await memory.retrieve({ key: 'color' })).toBe('red')
    expect(await memory.list({})).toEqual(['color', 'blueprint', 'city'])
  })

  it('T0-10: searches keys and values, in any case', async () => {
    const memory = await filled()
    expect(await memory.search({ text: 'BLUE' })).toEqual([
      { key: 'color', value: 'Blue' },
      { key: 'blueprint', value: 'attic' },
    ])
    expect(await memory.search({ text: 'nothing' })).toEqual([])
  })

  it('T0-37: takes a search text literally', async () => {
    expect(await (await filled()).search({ text: '.*(' })).toEqual([])
  })

  it('deletes, and says whether there was something', async () => {
    const memory = await filled()
    expect(await memory.delete({ key: 'city' })).toEqual({ deleted: true })
    expect(await memory.delete({ key: 'city' })).toEqual({ deleted: false })
    expect(await memory.list({})).toEqual(['color', 'blueprint'])
  })

  it('T0-13: clears, and says how many there were', async () => {
    const memory = await filled()
    expect(await call(memory, 'memory_clear')).toMatchObject({ output: { cleared: 3 } })
    expect(await memory.list({})).toEqual([])
  })

  it.each([{}, { extra: 1 }])('T0-22: a tool without arguments takes %j', async (args) => {
    expect(await call(await filled(), 'memory_list', args)).toMatchObject({ ok: true, output: ['color', 'blueprint', 'city'] })
  })

  it.each(HOSTILE)('MEM-01: the key %s is plain data, and not there before it was stored', async (key) => {
    const memory = new MemoryToolset()
    expect(await call(memory, 'memory_retrieve', { key })).toMatchObject({ ok: true, output: null })
    await call(memory, 'memory_store', { key, value: 'polluted' })
    expect(await call(memory, 'memory_retrieve', { key })).toMatchObject({ output: 'polluted' })
    expect(await memory.list({})).toEqual([key])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('MEM-02: two instances share nothing', async () => {
    const [one, other] = [await filled(), new MemoryToolset()]
    expect(await other.list({})).toEqual([])
    expect(await other.search({ text: 'o' })).toEqual([])
    await other.clear({})
    expect(await one.list({})).toHaveLength(3)
  })
})
