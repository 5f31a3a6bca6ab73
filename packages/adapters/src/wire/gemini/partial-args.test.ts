import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PartialArgs } from './partial-args.ts'

function read(...values: readonly object[]) {
  const args = new PartialArgs()
  const pieces = values.map((value) => args.push(value)).join('')
  const { rest, whole } = args.close(!args.isWhole())
  return { text: whole ?? pieces + rest, isWhole: args.isWhole() }
}
const set = (jsonPath: string, value: unknown, willContinue?: boolean) => ({
  jsonPath,
  [typeof value === 'string' ? 'stringValue' : typeof value === 'number' ? 'numberValue' : 'boolValue']: value,
  ...(willContinue !== undefined && { willContinue }),
})

/** Returns each value with its path, in the order of the JSON text. */
function leavesOf(value: unknown, path = '$'): readonly object[] {
  if (typeof value !== 'object') return [set(path, value)]
  if (value === null) return [{ jsonPath: path, nullValue: 'NULL_VALUE' }]
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`))
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, `${path}['${key.replace(/[\\']/g, '\\$&')}']`))
}

const nested = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.boolean(),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
  object: fc.dictionary(fc.string({ maxLength: 4 }), tie('value'), { minKeys: 1, maxKeys: 3 }),
})).object

describe('arguments of any shape', () => {
  it('are rebuilt from their values', () => {
    fc.assert(
      fc.property(nested, (args) => {
        expect(JSON.parse(read(...leavesOf(args)).text)).toEqual(JSON.parse(JSON.stringify(args)))
      }),
    )
  })

  it('are rebuilt from pieces of their strings', () => {
    fc.assert(
      fc.property(nested, fc.nat(3), (args, length) => {
        const pieces = leavesOf(args).flatMap((leaf) => {
          const { jsonPath, stringValue } = leaf as { jsonPath: string; stringValue?: string }
          if (stringValue === undefined) return [leaf]
          return [set(jsonPath, stringValue.slice(0, length), true), set(jsonPath, stringValue.slice(length))]
        })
        const { text, isWhole } = read(...pieces)
        expect(isWhole).toBe(true)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(args)))
      }),
    )
  })
})

describe('arguments that arrive value by value', () => {
  it('put each value at its path', () => {
    const { text, isWhole } = read(
      set('$.city', 'Rome'),
      set('$.days[0].name', 'Mon'),
      set('$.days[1].name', 'Tue'),
      set("$['a b']['c\\'d']", 1.5),
      set('$.isWarm', false),
      { jsonPath: '$.none', nullValue: 'NULL_VALUE' },
    )
    expect(JSON.parse(text)).toEqual({
      city: 'Rome',
      days: [{ name: 'Mon' }, { name: 'Tue' }],
      'a b': { "c'd": 1.5 },
      isWarm: false,
      none: null,
    })
    expect(isWhole).toBe(true)
  })

  it("append to a string that continues, and replace one that doesn't", () => {
    expect(read(set('$.q', 'a', true), set('$.q', 'b"', true), set('$.q', 'c'), set('$.n', 1))).toEqual({
      text: '{"q":"ab\\"c","n":1}',
      isWhole: true,
    })
    expect(read(set('$.q', 'a'), set('$.q', 'b')).text).toBe('{"q":"b"}')
  })

  it('contain each value even if the values arrive out of order', () => {
    const again = [set('$.map.a', 1), set('$.q', 'x', true), set('$.map.b', 2), set('$.q', 'y')]
    expect(read(...again)).toEqual({ text: '{"map":{"a":1,"b":2},"q":"xy"}', isWhole: true })
    expect(read(set('$.map.a', 1), set('$.n', 1), set('$.map.b', 2)).text).toBe('{"map":{"a":1,"b":2},"n":1}')
    expect(read(set('$.n', 1), set('$.n', 2)).text).toBe('{"n":2}')
  })

  it('are incomplete while a string continues', () => {
    expect(read(set('$.q', 'a', true))).toEqual({ text: '{"q":"a', isWhole: false })
  })

  it('have no text without a value', () => {
    expect(read()).toEqual({ text: '', isWhole: true })
    expect(read({}, { jsonPath: '$.q' }, { stringValue: 'x' }, { jsonPath: '$.q', stringValue: {} }).text).toBe('')
  })

  it('are incomplete if a path is invalid', () => {
    for (const path of [
      '',
      'q',
      '$',
      '$q',
      '$.',
      '$..q',
      '$[',
      '$[]',
      '$[x]',
      '$[-1]',
      "$['q",
      "$['q'x",
      '$[0]',
      '$.list[4]',
      '$.list.name',
      '$.q.deeper',
      '$.list',
      '$.map',
      '$.map[0]',
    ])
      expect(read(set('$.list[0]', 1), set('$.q', 'text'), set('$.map.a', 1), set(path, 1))).toEqual({
        text: '{"list":[1],"q":"text","map":{"a":1',
        isWhole: false,
      })
  })

  it('DOS: limit the depth and length of a path, and the length of a list', () => {
    expect(read(set(`$${'.a'.repeat(65)}`, 1))).toEqual({ text: '', isWhole: false })
    expect(read(set(`$.${'a'.repeat(5_000)}`, 1))).toEqual({ text: '', isWhole: false })
    expect(read(set('$.a[0]', 1), set('$.a[999999999]', 1))).toEqual({ text: '{"a":[1', isWhole: false })
  })

  it('PROTO: treat `__proto__` like any other key', () => {
    const { text } = read(set('$.__proto__.polluted', true), set('$.constructor.prototype.polluted', true))
    expect(text).toBe('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect({}).not.toHaveProperty('polluted')
  })
})
