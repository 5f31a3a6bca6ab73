import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Loose } from '../../test/tools.ts'
import { boundOutput } from './output.ts'

const circular: Record<string, unknown> = { name: 'ring' }
circular.self = circular
const shared = { a: 1 }
const hostile = Object.defineProperty({}, 'secret', { enumerable: true, get: throwing })

class Point {
  readonly x = 1
  readonly #secret = 2
  sum() {
    return this.x + this.#secret
  }
}

class Sealed {
  readonly #rows = 2
  count() {
    return this.#rows
  }
}

class Odd {}
Object.defineProperty(Odd, 'name', { get: throwing })

class Long {}
Object.defineProperty(Long, 'name', { value: 'x'.repeat(1_000_000) })

class Rows extends Array<number> {
  toJSON() {
    return { rows: this.length }
  }
}

class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly config = { headers: { Authorization: 'Bearer hunter2' } }
  toJSON() {
    return { message: this.message, config: this.config }
  }
}

const halves = { '\ud800': 1, '\ud801': 2, '\ufffd': 3 }
const renamed = ['converted /\ufffd', 'converted /\ufffd (2)', 'converted /\ufffd (3)']

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
  ])('returns %j unchanged', (value) => {
    const { value: kept, tags } = boundOutput(value)
    expect(kept).toBe(value)
    expect(tags).toEqual([])
  })

  it.each<Loose>([
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
    ['a Buffer, which has a toJSON', Buffer.from('hello'), '[binary, 5 bytes]', ['described ']],
    ['a boxed text', [new String('hi')], ['hi'], []],
    ['other boxed scalars', [new Number(1), new Boolean(false), Object(2n)], [1, false, '2'], ['converted /2']],
    ['an invalid date', [new Date(Number.NaN)], [null], ['converted /0']],
    ['a generator', { rows: [1, 2].values() }, { rows: [1, 2] }, ['converted /rows']],
    ['the values of a map', new Map([[1, 'a']]).values(), ['a'], ['converted ']],
    ['a plain iterable', { [Symbol.iterator]: () => [1].values() }, [1], ['converted ']],
    ['search parameters', new URLSearchParams('a=1'), [['a', '1']], ['converted ']],
    ['a regular expression', { like: /a/ }, { like: '[RegExp]' }, ['described /like']],
    ['headers, which may hold credentials', new Headers({ cookie: 'hunter2' }), '[Headers]', ['described ']],
    ['a response', new Response('x'), '[Response]', ['described ']],
    ['a weak map', new WeakMap(), '[WeakMap]', ['described ']],
    ['an instance whose state is private', new Sealed(), '[Sealed]', ['described ']],
    ['an instance of a class whose name throws', [new Odd()], ['[unreadable]'], ['described /0']],
    ['an instance of a class with a long name', new Long(), '[object]', ['described ']],
    ['keys that become the same', halves, { '\ufffd': 1, '\ufffd (2)': 2, '\ufffd (3)': 3 }, renamed],
    ['a list that is asked for another value', Object.assign([1], { toJSON: () => [1n] }), ['1'], ['converted /0']],
    [
      'a list with an iterator of its own',
      Object.assign([1n], { [Symbol.iterator]: () => [].values() }),
      ['1'],
      ['converted /0'],
    ],
    ['a list of a class', Rows.from([1, 2]), { rows: 2 }, []],
    ['an error with a toJSON, as of an HTTP client', new RequestError(), '[error RequestError]', ['described ']],
    ['an error with an invalid name', Object.assign(new Error(), { name: 'a b' }), '[error Error]', ['described ']],
    ['a getter that throws', { a: 1, b: hostile }, { a: 1, b: '[unreadable]' }, ['described /b']],
  ])('converts %s to a JSON value', (_what, given, value, tags) => {
    const bounded = boundOutput(given)
    expect(bounded.value).toEqual(value)
    expect(bounded.tags.map(({ tag, path }) => `${tag} ${path}`)).toEqual(tags)
  })

  it('keeps an own property named __proto__', () => {
    const { value } = boundOutput(Object.assign(JSON.parse('{"__proto__":{"isAdmin":true}}'), { toCopy: 1n }))
    expect(Object.keys(value as object)).toContain('__proto__')
    expect((value as { isAdmin?: unknown }).isAdmin).toBeUndefined()
  })

  it('describes values that are nested too deeply', () => {
    let deep: unknown = 'bottom'
    for (let level = 0; level < 100_000; level++) deep = { deep }
    const { value, tags } = boundOutput(deep)
    expect(tags).toEqual([{ tag: 'too_deep', path: '/deep'.repeat(512) }])
    expect(JSON.stringify(value)).toContain('[too deep]')
  })

  it('T2-18: truncates strings, arrays and objects at the limit, with a marker that contains the size', () => {
    expect(boundOutput('x'.repeat(50), 10).value).toBe(`${'x'.repeat(9)}… [truncated: 50 characters in total]`)
    expect(boundOutput(Array(50).fill(7), 4).value).toEqual([7, 7, 7, '[truncated: 50 items in total]'])
    const record = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, 1]))
    expect(boundOutput(record, 8).value).toMatchObject({ k0: 1, '…': '[truncated: 50 keys in total]' })
    expect(boundOutput({ ['k'.repeat(50)]: 1 }, 8).value).toEqual({ '…': '[truncated: 1 key in total]' })
  })

  it('T2-18: does not split a surrogate pair', () => {
    expect(boundOutput('😀😀😀', 4).value).toBe('😀… [truncated: 6 characters in total]')
  })

  it.each<[what: string, item: unknown]>([
    ...[null, true, -Math.PI / 1e300, '', [], { a: 1 }, { '': '' }].map((item): [string, unknown] => [
      JSON.stringify(item),
      item,
    ]),
    ['undefined', undefined],
    ['a BigInt', 1n],
    ['a number that JSON lacks', Number.NaN],
    ['an invalid date', new Date(Number.NaN)],
    ['a function', () => 1],
    ['an instance whose state is private', new Sealed()],
    ['bytes', new Uint8Array(3)],
    ['an error', new RangeError('x')],
    ['a revoked proxy', revoked()],
    ['a ring', circular],
    ['a set', new Set(['\ud800'])],
    ['a control character', '\0'],
    ['control characters', '\x7f\0\x1b'.repeat(50)],
    ['a key of control characters', { ['\0'.repeat(50)]: 1 }],
    ['characters with escapes', '"\\\n'],
    ['objects in one another', Array.from({ length: 500 }).reduce<object>((inner) => ({ '': inner }), {})],
  ])('a list of %s is at most about three times as long as the limit', (_, item) => {
    for (const list of [Array(10_000).fill(item), [Array(10_000).fill(item), new Map()]])
      expect(JSON.stringify(boundOutput(list, 5_000).value).length).toBeLessThan(16_000)
  })

  it('counts a control character as the six that it has in JSON', () => {
    const mark = '… [truncated: 20 characters in total]'
    expect(boundOutput('\0'.repeat(20), 61).value).toBe(`${'\0'.repeat(10)}${mark}`)
    expect(boundOutput({ text: '\0'.repeat(20) }, 200).tags).toEqual([])
    expect(boundOutput('\t\n'.repeat(10), 21).tags).toEqual([])
  })

  it('T2-18: truncates an endless iterable at the limit', () => {
    const endless = (function* () {
      for (;;) yield 7
    })()
    const { value, tags } = boundOutput({ endless }, 20)
    expect(value).toEqual({ endless: [...Array(11).fill(7), '[truncated: more than 11 items in total]'] })
    expect(tags.map(({ tag }) => tag)).toEqual(['truncated', 'converted'])
    class Endless extends Set {
      override *[Symbol.iterator](): SetIterator<unknown> {
        for (;;) yield 7
      }
    }
    expect(boundOutput(new Endless([1])).value).toEqual([1])
  })

  it('shows nothing of a request that an error contains', () => {
    expect(JSON.stringify(boundOutput({ failures: [new RequestError()] }))).not.toContain('hunter2')
  })

  it('converts anything to bounded JSON, and gives the same result when repeated', () => {
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

  it('tags every value that JSON would write differently', () => {
    const text = fc.array(fc.constantFrom('a', '\ud800', '\udc00', '\ufffd', '…')).map((units) => units.join(''))
    const odd = fc.constantFrom<(() => unknown)[]>(
      () => /a/,
      () => new Map(),
      () => [1].values(),
      () => new Sealed(),
      () => new Error('x'),
      () => Buffer.from('x'),
      () => new String('x'),
      () => new Rows(1, 2),
    )
    const anything = fc.anything({
      key: text,
      values: [text, odd.map((make) => make()), fc.double(), fc.integer(), fc.constant(null)],
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
    })
    fc.assert(
      fc.property(anything, fc.constantFrom(20, 500, undefined), (given, limit) => {
        const { value, tags } = boundOutput(given, limit)
        if (tags.length === 0) expect(JSON.stringify(value)).toBe(JSON.stringify(given))
      }),
    )
  })

  it('leaves JSON values unchanged', () => {
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

function throwing(): never {
  throw new Error('no')
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
