import { describe, expect, it } from 'vitest'
import { toolNamed } from '../test/tools.ts'
import { mockRegistry } from './testing.ts'

describe('mockRegistry', () => {
  it('T1-15: returns the mocks, and does not find undefined', async () => {
    const fake = toolNamed('web_search')
    const registry = mockRegistry({ web_search: fake, add: ({ a, b }: { a: number; b: number }) => a + b, gone: undefined })
    const tools = await registry.resolveFor('agent')
    expect(tools.get('web_search')).toBe(fake)
    expect(await tools.get('add')?.execute({ a: 1, b: 2 })).toBe(3)
    await expect(registry.resolve('gone')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('T1-18: acts as a module that throws', async () => {
    const cause = new Error('offline')
    await expect(mockRegistry({ a: cause }).resolve('a')).rejects.toMatchObject({ code: 'load_failed', cause })
  })

  it('T1-17: counts resolutions', async () => {
    const registry = mockRegistry({ a: () => 1, b: () => 2 })
    registry.expectResolved('a', 0)
    await Promise.all([registry.resolve('a'), registry.resolveFor('agent', ['a', 'b'])])
    registry.expectResolved('b')
    expect(() => registry.expectResolved('a')).toThrow('"a" was resolved 2 times, not 1. Resolved: a, a, b.')
    expect(registry.resolved).toEqual(['a', 'a', 'b'])
  })

  it('refuses a tool under another name', async () => {
    await expect(mockRegistry({ a: toolNamed('b') }).resolve()).rejects.toMatchObject({ code: 'load_failed' })
  })
})
