/** Schemas that AJV evaluates differently from their draft. */
import { describe, expect, it } from 'vitest'
import { checkWith } from '../../../../test/schema/validators/check.ts'
import { validate } from '../../validate.ts'
import { factsOf } from '../check.ts'
import { loadInterpreter } from '../interpreter/interpreter.ts'
import { loadAjv } from './ajv.ts'
import { isBeyondAjv } from './beyond-ajv.ts'

const number = { type: 'number' }

it.each<[string, object, boolean]>([
  ['a small union', { anyOf: Array.from({ length: 20 }, (_, index) => ({ const: index })) }, false],
  ['a large union', { items: { oneOf: Array.from({ length: 21 }, (_, index) => ({ const: index })) } }, true],
  ['many properties', { properties: Object.fromEntries(Array.from({ length: 149 }, (_, index) => [`p${index}`, {}])) }, false],
  ['more properties', { properties: Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`p${index}`, {}])) }, true],
])('leaves %s to the interpreter if AJV would be slower: %#', async (_, schema, isBeyond) => {
  expect(isBeyondAjv(await factsOf(schema))).toBe(isBeyond)
})

describe('validate', () => {
  it.each<[string, object, readonly unknown[], readonly unknown[]]>([
    ['items that contains evaluates', { contains: number, unevaluatedItems: { type: 'string' } }, [[1, 'a']], [[1, null]]],
    [
      'items that several evaluate',
      { allOf: [{ contains: number }, { prefixItems: [{}] }], unevaluatedItems: false },
      [['a', 1]],
      [['a', 'b', 1]],
    ],
    [
      'items of a branch',
      { anyOf: [{ items: number }, true], unevaluatedItems: { type: 'string' } },
      [['a'], [1, 2]],
      [[1, null]],
    ],
    [
      'an if without then',
      { if: { properties: { a: number } }, unevaluatedProperties: false },
      [{ a: 1 }],
      [{ a: 'x' }, { b: 1 }],
    ],
    [
      'an if without else',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { required: ['a'] }, then: { properties: { a: true } }, unevaluatedProperties: false },
      [{ a: 1 }, {}],
      [{ b: 1 }],
    ],
    [
      'what a reference evaluates',
      { $defs: { a: { properties: { a: number } } }, $ref: '#/$defs/a', unevaluatedProperties: false },
      [{ a: 1 }],
      [{ a: 1, b: 1 }],
    ],
    [
      'what a dependency evaluates',
      { dependentSchemas: { a: { properties: { a: number, b: number } } }, unevaluatedProperties: number },
      [{ a: 1, b: 1, c: 1 }],
      [{ c: 'x' }],
    ],
    ['nothing behind not', { not: { not: { properties: { a: number } } }, unevaluatedProperties: false }, [{}], [{ a: 1 }]],
    ['keys of a pattern', { patternProperties: { '^a': number }, unevaluatedProperties: false }, [{ ab: 1 }], [{ b: 1 }]],
  ])('evaluates %s', async (_, schema, right, wrong) => {
    for (const value of right) expect(await validate(schema, value)).toEqual([])
    for (const value of wrong) expect(await validate(schema, value)).not.toEqual([])
  })

  it('names what is not evaluated', async () => {
    const schema = { properties: { a: number }, unevaluatedProperties: false }
    expect(await validate(schema, { a: 1, b: 2 })).toMatchObject([
      { path: '', keyword: 'unevaluatedProperties', message: 'must NOT have unevaluated properties: "b"' },
    ])
    expect(await validate({ prefixItems: [number], unevaluatedItems: false }, [1, 2])).toMatchObject([
      { path: '', keyword: 'unevaluatedItems', message: 'must NOT have more than 1 items' },
    ])
  })

  it.each([true, false])('ignores nullable: %s without a type', async (nullable) => {
    const schema = { properties: { a: { nullable, enum: ['x'] } } }
    expect(await validate(schema, { a: 'x' })).toEqual([])
    expect(await validate(schema, { a: null })).toMatchObject([{ path: '/a', keyword: 'enum' }])
    expect(await validate({ properties: { a: { nullable } } }, { a: null })).toEqual([])
  })

  it('uses AJV for other schemas, even with references', async () => {
    const ordinary = {
      $defs: { a: { $anchor: 'a', ...number } },
      properties: { a: { $ref: '#a' }, b: { $dynamicRef: '#a' } },
      additionalProperties: false,
    }
    expect(isBeyondAjv(await factsOf(ordinary))).toBe(false)
    expect(isBeyondAjv(await factsOf({ items: { unevaluatedItems: false } }))).toBe(true)
  })
})

describe.each([
  ['AJV', loadAjv],
  ['the interpreting validator', loadInterpreter],
])('%s', (_, load) => {
  it('allows no value of an empty enum', async () => {
    const check = await checkWith(load, { properties: { a: { enum: [] } } })
    expect(check({})).toEqual([])
    for (const a of [null, '', 0, {}]) expect(check({ a })).toMatchObject([{ path: '/a', keyword: 'enum' }])
  })

  it('compares dates with limits', async () => {
    const limits = { formatMinimum: '2024-01-01', formatExclusiveMaximum: '2025-01-01' }
    const check = await checkWith(load, { format: 'date', ...limits })
    for (const date of ['2024-01-01', '2024-12-31', 5]) expect(check(date)).toEqual([])
    expect(check('2023-12-31')).toMatchObject([{ message: 'should be >= 2024-01-01' }])
    expect(check('2025-01-01')).toMatchObject([{ message: 'should be < 2025-01-01' }])
  })

  it('explains conditions, dependencies and items in the same way', async () => {
    const schema = {
      type: 'object',
      properties: { list: { prefixItems: [number], items: false }, some: { contains: number, maxContains: 1 } },
      dependentRequired: { a: ['b', 'c'] },
      if: { required: ['x'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { x: number } },
    }
    const issues = (await checkWith(load, schema))({ list: [1, 2], some: [1, 2], a: 1, b: 1, x: 'y' })
    expect(issues.map(({ path, message }) => `${path} ${message}`).sort()).toEqual([
      ' must have properties b, c when property a is present',
      ' must match "then" schema',
      '/list must NOT have more than 1 items',
      '/some must contain at least 1 and no more than 1 valid item(s)',
      '/x must be number',
    ])
  })
})
