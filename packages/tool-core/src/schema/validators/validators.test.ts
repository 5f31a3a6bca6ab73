import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { checkWith } from '../../../test/schema/validators/check.ts'
import { renderIssues } from '../issue.ts'
import { loadAjv } from './ajv/ajv.ts'
import { loadInterpreter } from './interpreter/interpreter.ts'

const tree = Type.Cyclic({ Tree: Type.Object({ v: Type.Number(), next: Type.Optional(Type.Ref('Tree')) }) }, 'Tree')

describe.each([
  ['AJV', loadAjv],
  ['the interpreting validator', loadInterpreter],
])('%s', (_name, load) => {
  async function words(schema: object, value: unknown) {
    return renderIssues((await checkWith(load, schema))(value))
  }

  const card = {
    type: 'object',
    required: ['kind', 'number'],
    properties: { kind: { const: 'card' }, number: { type: 'string' } },
  }
  const bank = {
    type: 'object',
    required: ['kind', 'iban'],
    properties: { kind: { enum: ['bank', 'sepa'] }, iban: { type: 'string' } },
  }
  it.each<[unknown, string]>([
    [{ kind: 'card' }, "/by must have required property 'number'"],
    [{ kind: 'sepa', iban: 5 }, '/by/iban must be string'],
    [{ kind: 'cash' }, '/by/kind must be equal to one of the allowed values: "card", "bank", "sepa"'],
    [{}, "/by must have required property 'kind'"],
    [5, '/by must be object'],
  ])('explains a union with a tag by the alternative that was meant: %j', async (by, expected) => {
    expect(await words({ properties: { by: { anyOf: [card, bank] } } }, { by })).toBe(expected)
    expect(await words({ properties: { by: { oneOf: [card, bank] } } }, { by })).toBe(expected)
  })

  it('returns the same empty list for valid values', async () => {
    const check = await checkWith(load, Type.Object({ a: Type.Number() }))
    expect(check({ a: 1 })).toEqual([])
    expect(check({ a: 1 })).toBe(check({ a: 2 }))
  })

  it.each<[object, unknown, string]>([
    [Type.Object({ city: Type.String() }), {}, "must have required property 'city'"],
    [Type.Object({ city: Type.String() }), { city: 5 }, '/city must be string'],
    [Type.Array(Type.Integer()), [1, 2.5], '/1 must be integer'],
    [{ type: ['string', 'null'] }, 5, 'must be string or null'],
    [Type.Enum(['c', 'f']), 'k', 'must be equal to one of the allowed values: "c", "f"'],
    [Type.Literal('c'), 'k', 'must be equal to constant: "c"'],
    [Type.Number({ minimum: 1 }), 0, 'must be >= 1'],
    [Type.Number({ exclusiveMaximum: 1 }), 1, 'must be < 1'],
    [Type.Number({ multipleOf: 5 }), 7, 'must be multiple of 5'],
    [Type.String({ minLength: 2 }), '𝄞', 'must NOT have fewer than 2 characters'],
    [Type.Array(Type.Any(), { maxItems: 1 }), [1, 2], 'must NOT have more than 1 items'],
    [Type.String({ pattern: '^a+$' }), 'b', 'must match pattern "^a+$"'],
    [Type.Object({}, { additionalProperties: false }), { x: 1 }, 'must NOT have additional properties: "x"'],
    [Type.Record(Type.String(), Type.Number()), { 'a b#%23~/é': 'x' }, '/a b#%23~0~1é must be number'],
    [
      Type.Array(Type.Any(), { uniqueItems: true }),
      [{ a: 1, b: [2] }, 3, { b: [2], a: 1 }],
      'must NOT have duplicate items (items ## 0 and 2 are identical)',
    ],
    [{ type: 'object', properties: { a: false } }, { a: 1 }, '/a must not be present'],
    [{ not: { type: 'string' } }, 'x', 'must NOT match the schema in "not"'],
    [{ propertyNames: { type: 'string' }, minProperties: 1 }, {}, 'must NOT have fewer than 1 properties'],
    [{ propertyNames: { pattern: '^a' } }, { m: 1 }, 'must match pattern "^a"; must NOT have the property name "m"'],
    [Type.Object({ tree }), { tree: { v: 1, next: { v: 'x' } } }, '/tree/next/v must be number'],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, [1], '/0 must be string'],
    [Type.Tuple([Type.String(), Type.Number()]), ['a', 'b'], '/1 must be number'],
  ])('reports these issues: %#', async (schema, value, expected) => {
    expect(await words(schema, value)).toBe(expected)
  })

  it.each<[TSchema, unknown, string]>([
    [Type.Union([Type.Literal('c'), Type.Literal('f')]), 'k', 'must be "c" or "f"'],
    [Type.Union([Type.String(), Type.Null()]), 5, 'must be string or null'],
    [Type.Union([Type.String(), Type.Object({ a: Type.Number() })]), { a: 'x' }, '/a must be number'],
    [Type.Array(Type.Union([Type.Literal(1), Type.Null()])), [2, 3], '/0 must be 1 or null; /1 must be 1 or null'],
    [Type.Union([Type.Union([Type.Literal('a'), Type.Literal('b')]), Type.Number()]), true, 'must be "a" or "b" or number'],
  ])('lists in short what a union allows: %#', async (schema, value, expected) => {
    expect(await words(schema, value)).toBe(expected)
  })

  it('ignores inherited properties', async () => {
    expect(await words({ type: 'object', required: ['toString'] }, {})).toBe("must have required property 'toString'")
    const schema = {
      type: 'object',
      properties: { constructor: { type: 'string' }, valueOf: false },
      additionalProperties: false,
    }
    expect(await words(schema, {})).toBe('')
  })

  it('neither coerces nor fills in defaults, and changes neither value nor schema', async () => {
    const schema = deepFreeze(Type.Object({ n: Type.Number({ default: 1 }), at: Type.Optional(Type.String({ format: 'date' })) }))
    expect(await words(schema, Object.freeze({ n: '1' }))).toBe('/n must be number')
    expect(await words(schema, Object.freeze({}))).toBe("must have required property 'n'")
  })

  it.each(['date-time', 'email', 'uri', 'url', 'uuid', 'ipv4', 'time', 'hostname', 'json-pointer'])(
    'supports the format %s',
    async (format) => {
      expect(await words(Type.String({ format }), ' ')).toMatch(/^must match format/)
    },
  )

  it('ignores an unknown format', async () => {
    expect(await words(Type.String({ format: 'phone' }), 'x')).toBe('')
  })

  it('checks each format on a long text', async () => {
    for (const format of ['url', 'email', 'uri', 'hostname', 'date-time', 'uri-template']) {
      for (const text of [`http://${':'.repeat(50_000)}`, `a@${'a'.repeat(50_000)}!`, `http://${'a'.repeat(50_000)}!`]) {
        expect(typeof (await words(Type.String({ format }), text))).toBe('string')
      }
    }
  })

  it('matches a long text with a pattern that would never end in JavaScript', async () => {
    const spaces = `${' '.repeat(100_000)}x`
    const slow = Type.String({ pattern: '\\s+$' })
    expect(await words(Type.Object({ a: slow }), { a: spaces })).toBe('/a must match pattern "\\\\s+$"')
    expect(await words(Type.Object({ a: slow }), { a: spaces.slice(0, -1) })).toBe('')
    expect(await words({ not: slow }, spaces)).toBe('')
    expect(await words({ not: slow }, spaces.slice(0, -1))).not.toBe('')
  })

  it('accepts a pattern that is valid only without the flag `u`', async () => {
    expect(await words(Type.String({ pattern: '^[\\w-.]+$' }), '!')).toMatch(/must match pattern/)
    expect(await words(Type.String({ pattern: '^[\\w-.]+$' }), 'a-.')).toBe('')
  })

  it('compares the items of a long list in one pass', async () => {
    const items = Array.from({ length: 100_000 }, (_, id) => ({ id }))
    const schema = Type.Array(Type.Object({ id: Type.Number() }), { uniqueItems: true })
    expect(await words(schema, items)).toBe('')
  })

  it('reports at most ten issues, however many there are', async () => {
    const check = await checkWith(load, Type.Array(Type.Number()))
    expect(check(Array.from({ length: 200_000 }, () => 'x'))).toHaveLength(10)
    expect(check(Array.from({ length: 50 }, () => 'x'))).toHaveLength(10)
  })

  it('compares objects with properties named like those of Object.prototype', async () => {
    const value = JSON.parse('{"toString":1,"valueOf":2,"constructor":3}')
    for (const schema of [{ const: {} }, { enum: [{}, 1] }]) expect(await words(schema, value)).toMatch(/^must be equal/)
    expect(await words({ const: value }, { ...value })).toBe('')
    expect(await words({ type: 'array', uniqueItems: true }, [value, {}, { ...value }])).toMatch(/duplicate/)
  })

  it('counts an instance of a class, and a function, as one value', async () => {
    class Connection {
      readonly self = this
      readonly open = () => true
    }
    expect(await words(Type.Object({ db: Type.Any(), log: Type.Any() }), { db: new Connection(), log: () => 1 })).toBe('')
    expect(await words(Type.Object({ db: Type.String() }), { db: () => 1 })).toBe('/db must be string')
    expect(await words(Type.Object({ n: Type.Number() }), { n: Number.NaN })).toBe('/n must be number')
  })

  it('stops a slow pattern, behind any reference and for names', async () => {
    const schema = {
      $defs: { slow: { $id: 'https://example.org/slow', pattern: '\\s+$' } },
      properties: { a: { $ref: 'https://example.org/slow' }, b: { contains: { $ref: '#/$defs/slow' } } },
    }
    const spaces = `${' '.repeat(100_000)}x`
    expect(await words(schema, { a: spaces })).toBe('/a must match pattern "\\\\s+$"')
    expect(await words(schema, { b: [spaces] })).not.toBe('')
    expect(await words({ propertyNames: { pattern: '\\s+$' } }, { [spaces]: 1 })).not.toBe('')
  })

  it('accepts a lone surrogate in a key', async () => {
    expect(await words(Type.Record(Type.String(), Type.Number()), { '\ud800': 'x' })).toMatch(/must be number$/)
  })

  it('reports data that is too deep for the stack', async () => {
    const schema = { $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } }, $ref: '#/$defs/node' }
    let value: object = {}
    for (let depth = 0; depth < 100_000; depth++) value = { next: value }
    expect(await words(schema, value)).toMatch(/nested deeper than 512 levels/)
  })

  it.each<[object, RegExp]>([
    [{ type: 'object', properties: { a: { $ref: '#/$defs/none' } } }, /#\/\$defs\/none/],
    [{ type: 'object', properties: { a: { type: 'strin' } } }, /strin/],
  ])('throws for a wrong schema: %#', async (schema, message) => {
    await expect(checkWith(load, schema)).rejects.toThrow(message)
  })
})

function deepFreeze<T>(node: T): T {
  if (typeof node === 'object' && node !== null) Object.values(Object.freeze(node)).forEach(deepFreeze)
  return node
}
