import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asLooseClass, type Loose } from '../../test/loose.ts'
import { call } from '../../test/tools.ts'
import { MemoryToolset as TypedToolset } from '../memory.ts'

const MemoryToolset = asLooseClass(TypedToolset)
const refused = (limit: string) => ({
  ok: false,
  error: { code: 'execution_failed', reason: 'memory_quota', message: expect.stringContaining(limit) },
})

describe('the limits of a memory', () => {
  it('keep the first 10,000 of 20,000 keys, and refuse the others', async () => {
    const memory = new MemoryToolset()
    let kept = 0
    for (let index = 0; index < 20_000; index++) {
      try {
        await memory.store({ key: `key ${index}`, value: 'x' })
        kept++
      } catch (error) {
        if (index === kept) expect(error).toMatchObject(refused('maxEntries is 10000').error)
      }
    }
    expect(kept).toBe(10_000)
    expect((await memory.list({})).at(0)).toBe('key 0')
    expect((await memory.list({})).at(-1)).toBe('key 9999')
  })

  it.each<Loose>([
    ['maxValueLength', { key: 'big', value: 'x'.repeat(10_000_000) }],
    ['maxKeyLength', { key: 'x'.repeat(10_000_000), value: 'big' }],
    ['maxKeyLength', { key: 'big', value: 'x', tags: ['x'.repeat(10_000_000)] }],
  ])('refuse ten million characters in %s', async (limit, args) => {
    const memory = new MemoryToolset()
    await memory.store({ key: 'color', value: 'blue' })
    const result = await call(memory.tools(), 'memory_store', args)
    expect(result).toMatchObject(refused(limit))
    expect(result.ok ? '' : result.error.message.length).toBeLessThan(200)
    expect(await memory.search({ text: 'b' })).toEqual([{ key: 'color', value: 'blue', tags: [] }])
  })

  it('count all texts together, in bytes of UTF-8', async () => {
    const memory = new MemoryToolset({ maxBytes: 12 })
    expect(await call(memory.tools(), 'memory_store', { key: 'a', value: 'ø€😀' })).toMatchObject({ ok: true })
    expect(await call(memory.tools(), 'memory_store', { key: 'b', value: 'x' })).toMatchObject({ ok: true })
    expect(await call(memory.tools(), 'memory_store', { key: 'c', value: '' })).toMatchObject(refused('maxBytes is 12'))
    expect(await memory.list({})).toEqual(['a', 'b'])
  })

  it('free the space of replaced, updated and deleted values, and leave an entry unchanged by a refused change', async () => {
    const memory = new MemoryToolset({ maxEntries: 1, maxBytes: 5 })
    await memory.store({ key: 'a', value: '1234' })
    expect(await call(memory.tools(), 'memory_store', { key: 'a', value: '12345' })).toMatchObject(refused('maxBytes'))
    expect(await call(memory.tools(), 'memory_update', { key: 'a', value: '5', append: true })).toMatchObject(refused('maxBytes'))
    expect(await memory.retrieve({ key: 'a' })).toBe('1234')
    expect(await call(memory.tools(), 'memory_store', { key: 'a', value: '4321' })).toMatchObject({ ok: true })
    expect(await call(memory.tools(), 'memory_store', { key: 'b', value: '' })).toMatchObject(refused('maxEntries'))
    await memory.delete({ key: 'a' })
    expect(await call(memory.tools(), 'memory_store', { key: 'b', value: '1234' })).toMatchObject({ ok: true })
    await memory.clear({})
    expect(await call(memory.tools(), 'memory_store', { key: 'c', value: '1234' })).toMatchObject({ ok: true })
  })

  it('apply to any calls, and the memory contains the accepted changes', async () => {
    const change = fc.record({
      kind: fc.constantFrom('store', 'update', 'append', 'delete', 'clear'),
      key: fc.constantFrom('', 'a', '__proto__'),
      value: fc.string({ maxLength: 6, unit: 'grapheme' }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
        const memory = new MemoryToolset({ maxEntries: 2, maxBytes: 24 })
        const expected = new Map<string, string>()
        for (const { kind, key, value } of changes) {
          const before = expected.get(key)
          const wanted = kind === 'append' && before !== undefined ? `${before}\n${value}` : value
          if (kind === 'delete') {
            expect(await memory.delete({ key })).toEqual({ deleted: expected.delete(key) })
          } else if (kind === 'clear') {
            expect(await memory.clear({})).toEqual({ cleared: expected.size })
            expected.clear()
          } else {
            const args = { key, value, ...(kind === 'append' && { append: true }) }
            const { ok } = await call(memory.tools(), kind === 'store' ? 'memory_store' : 'memory_update', args)
            const changed = new Map(expected).set(key, wanted)
            const applies = kind === 'store' || before !== undefined
            expect(ok).toBe(!applies || isWithin(changed))
            if (ok && applies) expected.set(key, wanted)
          }
        }
        const entries = await Promise.all(
          (await memory.list({})).map(async (key: string) => [key, await memory.retrieve({ key })]),
        )
        expect(entries).toEqual([...expected])
      }),
      { numRuns: 100 },
    )
  })

  it.each([
    [0, '0'],
    [-1, '-1'],
    [1.5, '1.5'],
    [Number.NaN, 'NaN'],
    ['10', 'a string'],
    [null, 'null'],
  ])('must be whole numbers above 0 or Infinity, not %j', (limit, shown) => {
    for (const name of ['maxEntries', 'maxKeyLength', 'maxValueLength', 'maxBytes']) {
      const create = (): unknown => new MemoryToolset({ [name]: limit })
      expect(create).toThrow(`MemoryToolset: ${name} must be a whole number above 0, or Infinity, got ${shown}.`)
      new MemoryToolset({ [name]: Number.POSITIVE_INFINITY })
    }
  })
})

function isWithin(entries: ReadonlyMap<string, string>): boolean {
  return entries.size <= 2 && Buffer.byteLength([...entries].flat().join('')) <= 24
}
