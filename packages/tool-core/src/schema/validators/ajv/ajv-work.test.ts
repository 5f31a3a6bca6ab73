/** AJV's work for errors, references, lengths and lists must not grow with the square of a value, or double with each level. */
import { describe, expect, it } from 'vitest'
import { checkWith } from '../../../../test/schema/validators/check.ts'
import { checkOf } from '../../validate.ts'
import { loadInterpreter } from '../interpreter/interpreter.ts'
import { explain } from '../issues/explain.ts'
import { loadAjv } from './ajv.ts'

const node = { $ref: '#/$defs/node' }
const $defs = { node: { type: 'object', properties: { child: node } } }
const texts = (count: number) => Array.from({ length: count }, (_, index) => `y${index}`)

function nested(levels: number, wrap: (inner: unknown) => unknown, inner: unknown): unknown {
  let value = inner
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

/** Counts the work of all calls to a method, by the object whose method it is. */
function workOf<Name extends string>(
  prototype: { [name in Name]: (...args: never[]) => unknown },
  name: Name,
  weigh: (self: { readonly length: number }) => number,
  run: () => void,
): number {
  let work = 0
  const original = prototype[name]
  prototype[name] = function (this: { readonly length: number }, ...args: never[]) {
    work += weigh(this)
    return original.apply(this, args)
  } as typeof original
  try {
    run()
  } finally {
    prototype[name] = original
  }
  return work
}

describe('the errors of AJV', () => {
  const operator = (op: string) => ({
    type: 'object',
    properties: { op: { const: op }, of: { $ref: '#' } },
    required: ['op', 'of'],
  })
  const recursive = {
    anyOf: [{ type: 'integer' }, { type: 'array', items: { $ref: '#' } }, ...['not', 'min', 'max'].map(operator)],
  }

  it.each<[string, object]>([
    ['a list that contains none', { $defs, type: 'array', contains: node }],
    ['a list that must not contain one', { $defs, not: { contains: node } }],
    ['a union of lists that contain one', { $defs, anyOf: [{ contains: node }, { contains: { not: { not: node } } }] }],
    ['a condition that contains one', { $defs, if: { contains: node }, else: { contains: node } }],
    ['all items of a union that refers to itself', recursive],
    ['items that are not equal to an object', { contains: { const: { a: 1 } } }],
    ['items that are equal to none of some objects', { contains: { enum: [{ a: 1 }, { b: 1 }] } }],
    ['numbers that are no multiples', { contains: { type: ['string', 'number'], multipleOf: 7, allOf: [{ const: { a: 1 } }] } }],
  ])('are not copied for each invalid value: %s', async (_, schema) => {
    const check = await checkWith(loadAjv, schema)
    check(['a'])
    const copied = workOf(
      Array.prototype as never,
      'concat' as never,
      ({ length }) => length,
      () => void check(texts(2_000)),
    )
    expect(copied).toBeLessThan(20_000)
  })

  it('are not kept for the items that contains refuses', async () => {
    const list = { $ref: '#' }
    const check = await checkWith(loadAjv, {
      anyOf: [{ type: 'integer' }, { type: 'array', contains: list }, { type: 'object', properties: { a: list } }],
    })
    for (const levels of [5, 500]) {
      const value = nested(levels, (a) => ({ a }), texts(100_000))
      const pushed = workOf(
        Array.prototype as never,
        'push' as never,
        () => 1,
        () => expect(check(value)).not.toEqual([]),
      )
      expect(pushed).toBeLessThan(1_000_000)
    }
  })

  it('are collected only while they are few', async () => {
    const required = texts(150)
    const check = await checkWith(loadAjv, { type: 'array', items: { type: 'object', required } })
    expect(check([{}, {}]).length).toBeGreaterThan(1)
    expect(check(Array.from({ length: 5_000 }, () => ({})))).toMatchObject([{ path: '/0', keyword: 'required' }])
  })

  it('compare few long names for a hint', async () => {
    const long = (start: string, count: number) =>
      Object.fromEntries(texts(count).map((text) => [start + text + 'n'.repeat(190), 1]))
    const properties = Object.fromEntries(Object.keys(long('a', 1_000)).map((name) => [name, {}]))
    const check = await checkWith(loadInterpreter, { properties, additionalProperties: false })
    const read = workOf(
      String.prototype as never,
      'charCodeAt' as never,
      () => 1,
      () => expect(check(long('bcd', 20))).toHaveLength(10),
    )
    expect(read).toBeLessThan(20_000_000)
  })

  it('escape a long key once, not for each item below it', async () => {
    const items = { anyOf: [{ type: 'number' }, { type: 'string', minLength: 1 }] }
    const key = '~/'.repeat(1_000)
    for (const [load, keyword] of [
      [loadAjv, 'additionalProperties'],
      [loadInterpreter, 'unevaluatedProperties'],
    ] as const) {
      const check = await checkWith(load, { [keyword]: { type: 'array', items } })
      const isLong = ({ length }: { readonly length: number }) => (length >= key.length ? 1 : 0)
      let escaped = 0
      const run = () => {
        escaped += workOf(String.prototype as never, 'replaceAll' as never, isLong, () => {
          expect(check({ [key]: texts(500) })).toEqual([])
        })
      }
      escaped += workOf(String.prototype as never, 'replace' as never, isLong, run)
      expect(escaped).toBeLessThan(10)
    }
    const check = await checkWith(loadAjv, { patternProperties: { '~': { type: 'array', items } }, additionalProperties: items })
    expect(check({ 'a~/b': ['x', null], 'c/d': true })).toMatchObject([{ path: '/c~1d' }, { path: '/a~0~1b/1' }])
  })

  it('are read only while their paths are short', () => {
    const read = new Set<number>()
    const failures = Array.from({ length: 1_000 }, (_, index) => ({
      get instancePath() {
        read.add(index)
        return `/${'k'.repeat(200_000)}/${index}`
      },
      schemaPath: '#/type',
      keyword: 'type',
      params: { type: 'string' },
    }))
    expect(explain({}, {}, failures).length).toBeGreaterThan(0)
    expect(read.size).toBeLessThan(10)
  })
})

describe('the references of AJV', () => {
  const dynamic = { $dynamicRef: '#node' }
  const again = { $recursiveRef: '#' }
  it.each<[string, object, (inner: unknown) => unknown]>([
    ['properties', { properties: { a: dynamic }, patternProperties: { '^a': dynamic } }, (a) => ({ a })],
    ['allOf', { properties: { a: dynamic }, allOf: [{ properties: { a: dynamic } }] }, (a) => ({ a })],
    ['contains', { items: dynamic, contains: dynamic }, (a) => [a]],
    ['a condition', { if: { items: dynamic }, items: dynamic }, (a) => [a]],
    ['unevaluatedItems', { contains: dynamic, unevaluatedItems: dynamic }, (a) => [a]],
    ['a recursive reference', { allOf: [{ items: again }, { items: again }] }, (a) => [a]],
  ])('check each value once, even if they are dynamic: %s', async (_, schema, wrap) => {
    const isOlder = JSON.stringify(schema).includes('$recursiveRef')
    const anchored = {
      type: ['object', 'array', 'integer'],
      [isOlder ? '$recursiveAnchor' : '$dynamicAnchor']: isOlder || 'node',
    }
    const $schema = `https://json-schema.org/draft/${isOlder ? '2019-09' : '2020-12'}/schema`
    const check = await checkOf({ $schema, ...anchored, ...schema })
    expect(check(nested(300, wrap, 1))).toEqual([])
    expect(check(nested(40, wrap, 'a'))).not.toEqual([])
  })

  it('are checked quickly for many long texts', async () => {
    const text = { $ref: '#/$defs/text' }
    const long = 'x'.repeat(20_000)
    const schema = {
      $defs: {
        text: {
          anyOf: [
            { type: 'string', pattern: 'a$' },
            { type: 'array', items: text },
          ],
        },
      },
      allOf: [text, text],
    }
    const check = await checkWith(loadAjv, schema)
    expect(check([`${long}a`, [`${long}a`], `${long}a`])).toEqual([])
    for (const list of [
      [`${long}a`, `${long}b`],
      [`${long}b`, `${long}a`],
      [[`${long}a`], `${long}b`],
    ])
      expect(check(list)).not.toEqual([])
  })

  it.each<[string, object]>([
    ['a constant', { const: nested(60, (inner) => [inner, 'y'], 'y') }],
    ['a default', { type: 'string', default: nested(60, (inner) => ({ inner: [[inner]] }), 'y') }],
    ['conditions', nested(60, (inner) => ({ allOf: [inner] }), { type: 'string' }) as object],
  ])('are compiled in linear time even if they refer to lists in lists: %s', async (_, schema) => {
    const tree = { $ref: '#/$defs/tree' }
    const any = { $ref: '#/$defs/any' }
    const check = await checkWith(loadAjv, {
      $defs: { any: schema, tree: { anyOf: [any, schema, { type: 'object', properties: { a: tree } }] } },
      ...tree,
    })
    const value = 'const' in schema ? schema.const : 'text'
    expect(check({ a: { a: value } })).toEqual([])
    expect(check({ a: { a: 5 } })).not.toEqual([])
  })
})

it('counts the length of a text once, and only if it matters', async () => {
  const lengths = (start: number) =>
    Array.from({ length: 100 }, (_, index) => ({ maxLength: start + index, minLength: 1_500 + index }))
  const text = '\u{1f600}'.repeat(2_000)
  const readFor = async (start: number, keyword: 'allOf' | 'anyOf') => {
    const check = await checkWith(loadAjv, { [keyword]: lengths(start) })
    return workOf(
      String.prototype as never,
      'charCodeAt' as never,
      () => 1,
      () => expect(check(text)).toEqual([]),
    )
  }
  expect(await readFor(2_000, 'allOf')).toBeLessThan(3 * text.length)
  expect(await readFor(10_000, 'anyOf')).toBeLessThan(3 * text.length)
})

it('checks lengths in code points', async () => {
  const check = await checkWith(loadAjv, { type: 'string', minLength: 2, maxLength: 3 })
  const face = '\u{1f600}'
  for (const text of ['ab', 'abc', face + face, `${face}a`, face.repeat(3), '\ud83d\ud83d', `\ud83d${face}a`])
    expect(check(text)).toEqual([])
  for (const text of ['', 'a', face]) expect(check(text)).toMatchObject([{ keyword: 'minLength' }])
  for (const text of ['abcd', face.repeat(4), `abc${face}`, '\ude00'.repeat(4)])
    expect(check(text)).toMatchObject([{ keyword: 'maxLength' }])
})
