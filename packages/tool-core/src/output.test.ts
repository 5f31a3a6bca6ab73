import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundOutput } from './output.ts'

const circular: Record<string, unknown> = { name: 'ring' }
circular.self = circular
const shared = { a: 1 }

class Point {
  readonly x = 1
  readonly #secret = 2
  sum() {
    return this.x + this.#secret
  }
}

describe('boundOutput', () => {
  it.each([
    [null],
    [true],
    [0],
    [''],
    ['text'],
    [[1, [2]]],
    [{ a: { b: [] } }],
    [{ a: shared, b: shared }],
    [{ gone: undefined }],
  ])('gives %j back as it is', (value) => {
    const { value: kept, tags } = boundOutput(value)
    expect(kept).toBe(value)
    expect(tags).toEqual([])
  })

  it.each<[string, unknown, unknown, string[]]>([
    ['undefined', undefined, null, []],
    ['a class instance', new Point(), { x: 1 }, []],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z', []],
    ['a gap in a list', [1, undefined, 3], [1, null, 3], []],
    ['a BigInt', { id: 9007199254740993n }, { id: '9007199254740993' }, ['converted /id']],
    ['a number that JSON lacks', [Number.NaN], [null], ['converted /0']],
    ['a map with text keys', new Map([['a', 1]]), { a: 1 }, ['converted ']],
    ['another map', new Map([[1, 'a']]), [[1, 'a']], ['converted ']],
    ['a set', new Set(['a']), ['a'], ['converted ']],
    ['half a surrogate pair', 'a\ud800b', 'a\ufffdb', ['converted ']],
    ['a function', { run: () => 1 }, { run: '[function]' }, ['described /run']],
    ['a symbol', Symbol('s'), '[symbol]', ['described ']],
    ['bytes', new Uint8Array(3), '[binary, 3 bytes]', ['described ']],
    ['a stream', new ReadableStream(), '[stream]', ['described ']],
    ['a promise', { later: Promise.resolve(1) }, { later: '[promise]' }, ['described /later']],
    ['an error', new RangeError('at /home/ann'), '[error RangeError]', ['described ']],
    ['a ring', circular, { name: 'ring', self: '[circular]' }, ['circular /self']],
    ['a key with a slash', { 'a/b': 1n }, { 'a/b': '1' }, ['converted /a~1b']],
    ['a toJSON that gives itself', { toJSON: itself, a: 1 }, { toJSON: '[function]', a: 1 }, ['described /toJSON']],
    ['a revoked proxy', [revoked()], ['[unreadable]'], ['described /0']],
    ['a getter that throws', { a: 1, b: throwing() }, { a: 1, b: '[unreadable]' }, ['described /b']],
  ])('LOOP-03: %s becomes a JSON value', (_what, given, value, tags) => {
    const bounded = boundOutput(given)
    expect(bounded.value).toEqual(value)
    expect(bounded.tags.map(({ tag, path }) => `${tag} ${path}`)).toEqual(tags)
  })

  it('LOOP-03: keeps an own key __proto__ a key', () => {
    const { value } = boundOutput(Object.assign(JSON.parse('{"__proto__":{"isAdmin":true}}'), { toCopy: 1n }))
    expect(Object.keys(value as object)).toContain('__proto__')
    expect((value as { isAdmin?: unknown }).isAdmin).toBeUndefined()
  })

  it('LOOP-03: describes what is nested too deep', () => {
    let deep: unknown = 'bottom'
    for (let level = 0; level < 100_000; level++) deep = { deep }
    const { value, tags } = boundOutput(deep)
    expect(tags).toEqual([{ tag: 'too_deep', path: '/deep'.repeat(512) }])
    expect(JSON.stringify(value)).toContain('[too deep]')
  })

  it('T2-18: cuts texts, lists and objects at the limit, with a marker that says how much there was', () => {
    expect(boundOutput('x'.repeat(50), 10).value).toBe(`${'x'.repeat(9)}… [cut off: 50 characters in all]`)
    expect(boundOutput(Array(50).fill(7), 4).value).toEqual([7, 7, 7, '[cut off: 50 items in all]'])
    const record = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, 1]))
    expect(boundOutput(record, 8).value).toMatchObject({ k0: 1, '…': '[cut off: 50 members in all]' })
    expect(boundOutput({ ['k'.repeat(50)]: 1 }, 8).value).toEqual({ '…': '[cut off: 1 members in all]' })
  })

  it('T2-18: does not cut a pair of surrogates in two', () => {
    expect(boundOutput('😀😀😀', 4).value).toBe('😀… [cut off: 6 characters in all]')
  })

  it('anything becomes JSON, is bounded, and is the same when done again', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withMap: true,
          withSet: true,
          withDate: true,
          withTypedArray: true,
          withNullPrototype: true,
        }),
        (given) => {
          const { value } = boundOutput(given, 500)
          const json = JSON.stringify(value)
          expect(json.length).toBeLessThan(10_000)
          expect(boundOutput(JSON.parse(json)).tags).toEqual([])
        },
      ),
    )
  })

  it('JSON values stay what they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        expect(boundOutput(given).value).toBe(given)
      }),
    )
  })
})

function itself(this: unknown): unknown {
  return this
}

function throwing(): object {
  return Object.defineProperty({}, 'secret', {
    enumerable: true,
    get: () => {
      throw new Error('no')
    },
  })
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
