import { type Tool, toSpec } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { asLooseClass, type Loose } from '../test/loose.ts'
import { call, namesOf } from '../test/tools.ts'
import { MemoryToolset as TypedToolset } from './memory.ts'

const MemoryToolset = asLooseClass(TypedToolset)
const HOSTILE = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', '']

async function filled() {
  const memory = new MemoryToolset()
  await memory.store({ key: 'color', value: 'Blue', tags: ['home'] })
  await memory.store({ key: 'blueprint', value: 'attic', tags: ['home', 'paper'] })
  await memory.store({ key: 'city', value: 'Oslo' })
  return memory
}

describe('the tools of a memory', () => {
  it('T0-7: are nine, in a fixed order', () => {
    expect(namesOf(new MemoryToolset().tools())).toEqual([
      'memory_store',
      'memory_retrieve',
      'memory_search',
      'memory_list',
      'memory_update',
      'memory_delete',
      'memory_clear',
      'memory_count',
      'memory_get_metadata',
    ])
  })

  it('T0-1: have the name of their instance as a prefix', () => {
    const notes = new MemoryToolset({ name: 'notes' })
    expect(notes.name).toBe('notes')
    const names = namesOf(new MemoryToolset().tools())
    expect(namesOf(notes.tools())).toEqual(names.map((name) => name.replace('memory', 'notes')))
  })

  it('T0-24: each have a description and an object schema', () => {
    for (const tool of new MemoryToolset().tools()) {
      const { description, parameters } = toSpec(tool).function
      expect(description).not.toBe('')
      expect(parameters).toMatchObject({ type: 'object', properties: expect.any(Object) })
      expect(parameters.required ?? []).toBeInstanceOf(Array)
    }
  })

  it('T0-8: store a key, a value and optional tags', () => {
    const { properties, required } = toSpec(new MemoryToolset().tools()[0] as Tool).function.parameters as {
      properties: object
      required: string[]
    }
    expect(Object.keys(properties)).toEqual(['key', 'value', 'tags'])
    expect(required).toEqual(['key', 'value'])
  })

  it.each<Loose>([{}, { extra: 1 }])('T0-22: accept %j without arguments', async (args) => {
    expect(await call((await filled()).tools(), 'memory_count', args)).toMatchObject({ ok: true, output: { count: 3 } })
  })
})

describe('a memory', () => {
  it('stores and retrieves a value', async () => {
    const memory = new MemoryToolset()
    expect(await call(memory.tools(), 'memory_store', { key: 'color', value: 'blue' })).toMatchObject({
      output: "Stored 'color' successfully",
    })
    expect(await call(memory.tools(), 'memory_retrieve', { key: 'color' })).toMatchObject({ output: 'blue' })
  })

  it('returns null for a missing key', async () => {
    expect(await call(new MemoryToolset().tools(), 'memory_retrieve', { key: 'color' })).toMatchObject({ ok: true, output: null })
    expect(await call(new MemoryToolset().tools(), 'memory_get_metadata', { key: 'color' })).toMatchObject({
      ok: true,
      output: null,
    })
  })

  it('replaces an earlier value', async () => {
    const memory = await filled()
    await memory.store({ key: 'color', value: 'red' })
    expect(await memory.retrieve({ key: 'color' })).toBe('red')
    expect(await memory.list({})).toEqual(['color', 'blueprint', 'city'])
    expect(await memory.getMetadata({ key: 'color' })).toMatchObject({ tags: [], value_length: 3 })
  })

  it.each<Loose>([
    [null, []],
    [undefined, []],
    [
      ['tea', 'home'],
      ['tea', 'home'],
    ],
  ])('T0-9: accepts the tags %j', async (tags, kept) => {
    const memory = new MemoryToolset()
    const args = { key: 'a', value: 'b', ...(tags !== undefined && { tags }) }
    expect(await call(memory.tools(), 'memory_store', args)).toMatchObject({ ok: true })
    expect(await memory.getMetadata({ key: 'a' })).toMatchObject({ tags: kept })
  })

  it.each<Loose>([['tea'], [[1]], [{ 0: 'tea' }]])('T0-9: refuses the tags %j', async (tags) => {
    const memory = new MemoryToolset()
    expect(await call(memory.tools(), 'memory_store', { key: 'a', value: 'b', tags })).toMatchObject({
      ok: false,
      error: { code: 'invalid_arguments' },
    })
    expect(await memory.count({})).toEqual({ count: 0 })
  })

  it('keeps its tags unchanged if the list that was passed changes', async () => {
    const [memory, tags] = [new MemoryToolset(), ['tea']]
    await memory.store({ key: 'a', value: 'b', tags })
    tags.push('later')
    expect(await memory.getMetadata({ key: 'a' })).toMatchObject({ tags: ['tea'] })
  })

  it('lists all keys, or those with a tag', async () => {
    const memory = await filled()
    expect(await memory.list({})).toEqual(['color', 'blueprint', 'city'])
    expect(await memory.list({ tag: 'home' })).toEqual(['color', 'blueprint'])
    expect(await memory.list({ tag: 'hom' })).toEqual([])
  })

  it.each<Loose>([
    ['both', ['color', 'blueprint']],
    [undefined, ['color', 'blueprint']],
    ['keys', ['blueprint']],
    ['values', ['color']],
  ] as const)('T0-10: searches within %s, ignoring case', async (scope, keys) => {
    const found = await (await filled()).search({ text: 'BLUE', ...(scope && { scope }) })
    expect(found.map(({ key }: { key: string }) => key)).toEqual(keys)
  })

  it('T0-37: refuses an empty search text', async () => {
    expect(await call((await filled()).tools(), 'memory_search', { text: '' })).toMatchObject({
      ok: false,
      error: { code: 'invalid_arguments', issues: [{ path: '/text' }] },
    })
  })

  it('T0-37: takes a search text literally', async () => {
    expect(await (await filled()).search({ text: '.*(' })).toEqual([])
  })

  it('T0-11: updates an existing entry, and reports a missing one as not found', async () => {
    const memory = await filled()
    expect(await call(memory.tools(), 'memory_update', { key: 'city', value: 'Bergen' })).toMatchObject({
      output: { updated: true },
    })
    expect(await memory.retrieve({ key: 'city' })).toBe('Bergen')
    expect(await call(memory.tools(), 'memory_update', { key: 'town', value: 'Bergen' })).toMatchObject({
      ok: true,
      output: { updated: false, reason: 'not found' },
    })
    expect(await memory.list({})).not.toContain('town')
  })

  it('T0-12: counts how often an entry is retrieved, and reports when it last was', async () => {
    let time = Date.UTC(2030, 0, 1)
    const memory = new MemoryToolset({ now: () => time })
    await memory.store({ key: 'tea', value: 'Blue Lotus', tags: ['home'] })
    const stored = { created_at: '2030-01-01T00:00:00.000Z', updated_at: '2030-01-01T00:00:00.000Z' }
    const entry = { key: 'tea', tags: ['home'], value_length: 10 }
    expect(await memory.getMetadata({ key: 'tea' })).toEqual({ ...entry, ...stored, access_count: 0, last_accessed: null })
    time += 1000
    await memory.retrieve({ key: 'tea' })
    time += 1000
    await memory.retrieve({ key: 'tea' })
    await memory.search({ text: 'tea' })
    const read = { access_count: 2, last_accessed: '2030-01-01T00:00:02.000Z' }
    expect(await memory.getMetadata({ key: 'tea' })).toEqual({ ...entry, ...stored, ...read })
    time += 1000
    await memory.update({ key: 'tea', value: 'Mint' })
    expect(await memory.getMetadata({ key: 'tea' })).toEqual({
      ...entry,
      ...stored,
      ...read,
      value_length: 4,
      updated_at: '2030-01-01T00:00:03.000Z',
    })
  })

  it('deletes an entry, and returns whether it existed', async () => {
    const memory = await filled()
    expect(await memory.delete({ key: 'city' })).toEqual({ deleted: true })
    expect(await memory.delete({ key: 'city' })).toEqual({ deleted: false })
    expect(await memory.list({})).toEqual(['color', 'blueprint'])
  })

  it('T0-13: clears all entries, and returns how many there were', async () => {
    const memory = await filled()
    expect(await call(memory.tools(), 'memory_clear')).toMatchObject({ output: { cleared: 3 } })
    expect(await memory.count({})).toEqual({ count: 0 })
  })
})

describe('an attack on a memory', () => {
  it.each(HOSTILE)('treats the key "%s" as plain data, absent until it is stored', async (key) => {
    const memory = new MemoryToolset()
    expect(await call(memory.tools(), 'memory_retrieve', { key })).toMatchObject({ ok: true, output: null })
    expect(await call(memory.tools(), 'memory_update', { key, value: 'x' })).toMatchObject({ output: { updated: false } })
    await call(memory.tools(), 'memory_store', { key, value: 'polluted', tags: ['__proto__'] })
    expect(await call(memory.tools(), 'memory_retrieve', { key })).toMatchObject({ output: 'polluted' })
    expect(await memory.list({ tag: '__proto__' })).toEqual([key])
    expect(await memory.delete({ key })).toEqual({ deleted: true })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('shares nothing with another memory, even if prefixed keys would be equal', async () => {
    const [one, other] = [new MemoryToolset(), new MemoryToolset()]
    await one.store({ key: 'a:b', value: 'c', tags: ['t'] })
    await other.store({ key: 'a', value: 'b:c', tags: ['t'] })
    expect(await one.list({ tag: 't' })).toEqual(['a:b'])
    expect(await one.search({ text: 'b:c' })).toEqual([])
    expect(await one.retrieve({ key: 'a' })).toBeNull()
    expect(await one.clear({})).toEqual({ cleared: 1 })
    expect(await other.retrieve({ key: 'a' })).toBe('b:c')
  })

  it('loses none of a hundred concurrently appended lines', async () => {
    const memory = new MemoryToolset()
    await memory.store({ key: 'log', value: 'start' })
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`)
    const results = await Promise.all(
      lines.map((value) => call(memory.tools(), 'memory_update', { key: 'log', value, append: true })),
    )
    expect(results.every((result) => result.ok)).toBe(true)
    expect((await memory.retrieve({ key: 'log' }))?.split('\n')).toEqual(['start', ...lines])
  })
})
