import { runInNewContext } from 'node:vm'
import { type TProperties, type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { toParameters } from '../define/parameters.ts'
import { ToolError } from '../errors.ts'
import { MAX_CHARACTERS, MAX_VALUES } from '../faults.ts'
import { coerceArgs, coerceValue } from './coerce.ts'

function coerce(properties: TProperties, args: object) {
  const { args: coerced, tags, issues } = coerceArgs(Type.Object(properties), args)
  expect(issues).toEqual([])
  return { args: coerced, tags: tags.map(({ tag, path }) => `${tag} ${path}`) }
}

function probe(schema: TSchema, value: unknown) {
  const { args, tags } = coerce({ probe: schema }, { probe: value })
  return { value: args.probe, tags }
}

describe('many strings in place of lists', () => {
  it('parses only some of very many strings in place of lists', () => {
    const lists = Type.Array(Type.Array(Type.Number()))
    const { value } = probe(lists, [...Array(2_000).fill('[1, 2'), '[1]'])
    expect((value as unknown[]).at(-1)).toBe('[1]')
    expect((probe(lists, [...Array(500).fill('[1, 2'), '[1]']).value as unknown[]).at(-1)).toEqual([1])
  })
})

describe('defaults', () => {
  it('T0-18: fills in omitted arguments', () => {
    expect(coerce({ n: Type.Integer({ default: 3 }) }, {})).toEqual({ args: { n: 3 }, tags: ['defaulted /n'] })
  })

  it('T3-9: counts undefined and null as omitted for an argument with a default', () => {
    const n = Type.Integer({ default: 3 })
    expect(coerce({ n }, { n: undefined })).toEqual({ args: { n: 3 }, tags: ['defaulted /n'] })
    expect(coerce({ n }, { n: null })).toEqual({ args: { n: 3 }, tags: ['null_dropped /n', 'defaulted /n'] })
  })

  it.each([
    { type: 'string', default: null },
    { type: 'integer', default: '5 years' },
    { anyOf: [{ type: 'integer' }, { type: 'boolean' }], default: 'optional' },
    { type: 'string', enum: ['small', 'large'], default: 'any' },
  ])('fills in no default that the property does not allow: $default', (size) => {
    const schema = { type: 'object', properties: { size }, required: ['size'] }
    expect(coerceArgs({ ...schema, required: [] }, {})).toEqual({ args: {}, tags: [], issues: [] })
    expect(toParameters(schema)).toEqual(schema)
  })

  it('copies a default for every call', () => {
    const list = Type.Array(Type.String(), { default: [] })
    const first = coerce({ list }, {}).args.list as string[]
    first.push('changed')
    expect(coerce({ list }, {}).args.list).toEqual([])
  })

  it('counts defaults toward the limits before they are copied', () => {
    let copied = 0
    const large = Array.from({ length: 1_000 }, () => ({
      get read() {
        copied++
        return 1
      },
    }))
    const list = Type.Array(Type.Object({ large: Type.Array(Type.Object({ read: Type.Number() }), { default: large }) }))
    const given = Array.from({ length: 100_000 }, () => ({}))
    expect(() => coerce({ list }, { list: given })).toThrow(`contain more than ${MAX_VALUES} values`)
    expect(copied).toBeLessThan(2 * MAX_VALUES)
    const text = Type.String({ default: 'a'.repeat(1_000) })
    const texts = Type.Array(Type.Object({ text }))
    expect(() => coerce({ texts }, { texts: given })).toThrow(`contain more than ${MAX_CHARACTERS} characters`)
  })

  it('fills in defaults inside objects, arrays and nullable objects', () => {
    const box = Type.Object({ w: Type.Number({ default: 1 }) })
    const { args } = coerce(
      { box, list: Type.Array(box), maybe: Type.Union([box, Type.Null()]) },
      { box: {}, list: [{}], maybe: {} },
    )
    expect(args).toEqual({ box: { w: 1 }, list: [{ w: 1 }], maybe: { w: 1 } })
  })

  it('fills in no defaults for a union of two objects', () => {
    const choice = Type.Union([Type.Object({ a: Type.Number({ default: 1 }) }), Type.Object({ b: Type.Number({ default: 2 }) })])
    expect(probe(choice, {})).toEqual({ value: {}, tags: [] })
  })
})

describe('null', () => {
  it('drops null for an optional argument that does not allow it', () => {
    expect(coerce({ s: Type.Optional(Type.String()) }, { s: null })).toEqual({ args: {}, tags: ['null_dropped /s'] })
  })

  it('T0-28: keeps null where the schema allows it or the argument is required', () => {
    const nullable = Type.Union([Type.String(), Type.Null()])
    expect(coerce({ a: Type.Optional(nullable), b: Type.String() }, { a: null, b: null })).toEqual({
      args: { a: null, b: null },
      tags: [],
    })
  })

  it.each([
    { oneOf: [{ type: 'string', nullable: true }, { type: 'integer' }] },
    { type: ['string', 'integer'], nullable: true },
  ])('keeps null that `nullable` allows: $type$oneOf', (due) => {
    expect(coerceArgs({ type: 'object', properties: { due } }, { due: null }).args).toEqual({ due: null })
  })

  it('keeps null for a schema that is `true`', () => {
    const schema = { type: 'object', properties: { any: true } }
    expect(coerceArgs(schema, { any: null })).toEqual({ args: { any: null }, tags: [], issues: [] })
  })

  it.each([Type.Number(), Type.String(), Type.Boolean()])('never converts null to a value of %o', (schema) => {
    expect(probe(schema, null)).toEqual({ value: null, tags: [] })
  })
})

describe('coercion', () => {
  it.each<[TSchema, string, unknown]>([
    [Type.Number(), '2', 2],
    [Type.Number(), '-0.5e3', -500],
    [Type.Number(), '1e21', 1e21],
    [Type.Number(), '0.000', 0],
    [Type.Integer(), '42', 42],
    [Type.Integer(), '2.0', 2],
    [Type.Boolean(), 'true', true],
    [Type.Boolean(), 'false', false],
    [Type.Boolean(), 'True', true],
    [Type.Boolean(), 'FALSE', false],
    [Type.Union([Type.Boolean(), Type.Null()]), 'False', false],
    [Type.Union([Type.Number(), Type.Null()]), '7', 7],
  ])('T2-12: coerces a whole string for %o: %j', (schema, text, value) => {
    expect(probe(schema, text)).toEqual({ value, tags: ['coerced /probe'] })
  })

  it.each<[TSchema, unknown]>([
    [Type.Integer(), '42abc'],
    [Type.Integer(), '2.5'],
    [Type.Number(), ''],
    [Type.Number(), ' 2'],
    [Type.Number(), '0x10'],
    [Type.Number(), '1e999'],
    [Type.Number(), 'NaN'],
    [Type.Integer(), '9007199254740993'],
    [Type.Number(), '9007199254740993'],
    [Type.Number(), '9007199254740993.0'],
    [Type.Number(), '123456789.123456789123'],
    [Type.Integer(), '4503599627370497.3'],
    [Type.Integer(), '1.00000000000000001'],
    [Type.Array(Type.Number()), '[9007199254740993]'],
    [Type.Array(Type.Number()), '[1e999]'],
    [Type.Object({ n: Type.Number() }), '{"n":1e-999}'],
    [Type.Object({ id: Type.Number() }), '{"id":1,"id":2}'],
    [Type.Number(), '9007199254740993e0'],
    [Type.Number(), '1e-999'],
    [Type.Integer(), '1e21'],
    [Type.Boolean(), 'tRUE'],
    [Type.Boolean(), 'yes'],
    [Type.Boolean(), ' True'],
    [Type.Union([Type.Boolean(), Type.String()]), 'True'],
    [Type.Boolean(), '1'],
    [Type.Boolean(), 1],
    [Type.String(), 5],
    [Type.String(), '5'],
    [Type.Union([Type.String(), Type.Number()]), '5'],
    [Type.Union([Type.Enum(['1']), Type.Unsafe({ type: ['number', 'null'] })]), '1'],
    [Type.Any(), '5'],
  ])('T2-12: does not coerce for %o: %j', (schema, value) => {
    expect(probe(schema, value)).toEqual({ value, tags: [] })
  })

  it('parses a whole string as the expected array or object, and coerces its members', () => {
    expect(probe(Type.Array(Type.Number()), '["1", 2]')).toEqual({
      value: [1, 2],
      tags: ['parsed_json /probe', 'coerced /probe/0'],
    })
    expect(probe(Type.Object({ a: Type.String() }), '{"a":"b"}')).toEqual({ value: { a: 'b' }, tags: ['parsed_json /probe'] })
  })

  it('coerces the members of a nullable array', () => {
    expect(probe(Type.Union([Type.Array(Type.Number()), Type.Null()]), ['1']).value).toEqual([1])
  })

  it('coerces each item of a tuple to its own type, and the others to the type of the rest', () => {
    const prefixItems = [{ type: 'string' }, { type: 'object', properties: { w: { type: 'number', default: 1 } } }]
    const schema = { type: 'array', prefixItems, items: { type: 'integer' } }
    expect(coerceValue(schema, ['5', {}, '6']).value).toEqual(['5', { w: 1 }, 6])
    expect(coerceValue({ type: 'array', prefixItems }, ['5', {}, '6']).value).toEqual(['5', { w: 1 }, '6'])
  })

  it.each<[TSchema, string]>([
    [Type.Array(Type.Number()), '{"a":1}'],
    [Type.Object({}), '[1]'],
    [Type.Object({}), '{"a":1'],
    [Type.Array(Type.Number()), '1, 2'],
    [Type.Object({}), 'null'],
  ])('T3-11: does not convert %o to %s', (schema, text) => {
    expect(probe(schema, text)).toEqual({ value: text, tags: [] })
  })
})

describe('instances of classes', () => {
  it('does not copy instances of classes', () => {
    const [when, rows] = [new Date(0), new Map()]
    const { args, tags } = coerceArgs(Type.Object({ when: Type.Any(), deep: Type.Any() }), { when, deep: [{ rows }] })
    expect(tags).toEqual([])
    expect(args.when).toBe(when)
    expect((args.deep as [{ rows: unknown }])[0].rows).toBe(rows)
  })

  it('copies objects without a prototype or from another realm as plain objects', () => {
    const a = Object.assign(Object.create(null), { b: '1' })
    expect(probe(Type.Object({ b: Type.Number() }), a).value).toEqual({ b: 1 })
    const foreign = runInNewContext('({ b: "1" })')
    expect(probe(Type.Object({ b: Type.Number() }), foreign).value).toEqual({ b: 1 })
  })
})

describe('tags', () => {
  it('records at most a hundred tags, but makes all changes', () => {
    const { args, tags } = coerceArgs(Type.Object({ list: Type.Array(Type.Number()) }), { list: Array(100_000).fill('1') })
    expect(tags).toHaveLength(100)
    expect((args.list as unknown[]).every((item) => item === 1)).toBe(true)
  })
})

describe('coerceValue', () => {
  it('coerces one value, with paths relative to the value', () => {
    expect(coerceValue(Type.Integer(), '2')).toEqual({ value: 2, tags: [{ tag: 'coerced', path: '' }], issues: [] })
    expect(coerceValue(Type.Array(Type.Boolean()), '["true"]')).toEqual({
      value: [true],
      tags: [
        { tag: 'parsed_json', path: '' },
        { tag: 'coerced', path: '/0' },
      ],
      issues: [],
    })
    expect(coerceValue(Type.String(), '2')).toEqual({ value: '2', tags: [], issues: [] })
  })
})

describe('refusals', () => {
  it.each([null, undefined, 'text', 5, [1, 2]])('refuses %j instead of an object', (args) => {
    expect(() => coerceArgs(Type.Object({}), args as never)).toThrow(
      expect.objectContaining({ code: 'invalid_arguments', message: expect.stringMatching(/^The arguments must be an object/) }),
    )
  })

  it('refuses data that is nested too deeply', () => {
    const deep = JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
    const text = { a: '['.repeat(100_000) + ']'.repeat(100_000) }
    for (const args of [deep, text]) {
      expect(() => coerceArgs(Type.Object({ a: Type.Array(Type.Any()) }), args)).toThrow(/nested deeper than 512 levels/)
    }
  })

  it('ignores inherited properties, declared or not', () => {
    const polluted = Object.create({ city: 'Oslo', town: 'Bergen' })
    const properties = { city: { type: 'string' } }
    expect(coerceArgs({ type: 'object', properties, additionalProperties: true }, polluted).args).toEqual({})
  })

  it('refuses data that is too large', () => {
    const schema = Type.Object({ a: Type.Any() })
    expect(() => coerceArgs(schema, { a: new Array(MAX_VALUES).fill(0) })).toThrow(/more than 1000000 values/)
    expect(() => coerceArgs(schema, { a: 'x'.repeat(MAX_CHARACTERS + 1) })).toThrow(/more than 16777216 characters/)
    expect(() => coerceArgs(schema, { ['x'.repeat(MAX_CHARACTERS + 1)]: 1 })).toThrow(ToolError)
  })
})
