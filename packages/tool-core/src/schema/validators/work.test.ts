/**
 * Checks whose work would grow without limit. Each of them must end. With AJV, this requires that each value is checked only once for each
 * schema.
 */
import { describe, expect, it } from 'vitest'
import { checkWith } from '../../../test/schema/validators/check.ts'
import { renderIssues } from '../issue.ts'
import { loadAjv } from './ajv/ajv.ts'
import { loadInterpreter } from './interpreter/interpreter.ts'

const branch = (op: string) => ({
  type: 'object',
  required: ['op', 'of'],
  properties: { of: { $ref: '#/$defs/filter' }, op: { const: op } },
})
const leaf = {
  type: 'object',
  required: ['field', 'equals'],
  properties: { field: { type: 'string' }, equals: { type: 'string' } },
}
/** A common schema: four operators that contain one filter each, and a leaf. */
const filter = {
  $defs: { filter: { anyOf: [...['not', 'group', 'exists', 'maybe'].map(branch), leaf] } },
  $ref: '#/$defs/filter',
}
const whole = { field: 'a', equals: 'b' }

/** Without the memory of checked values, even 100 levels would never end. */
const LEVELS = process.env.X_FULL ? 400 : 100

function nested(levels: number, op: string | undefined, inner: object): object {
  let value = inner
  for (let level = 0; level < levels; level++) value = op === undefined ? { of: value } : { op, of: value }
  return value
}

function chain(levels: number): object {
  const $defs: Record<string, object> = {}
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/l${level + 1}` }
    $defs[`l${level}`] = { allOf: [next, next, { not: { not: next } }] }
  }
  $defs[`l${levels}`] = { anyOf: [{ type: 'string' }, { $ref: '#/$defs/never' }] }
  $defs.never = { not: {}, anyOf: [{ $ref: '#/$defs/other' }] }
  $defs.other = { anyOf: [{ $ref: '#/$defs/never' }, { type: 'string' }] }
  return { $defs, $ref: '#/$defs/l0' }
}

const twice = { $ref: '#/$defs/node' }
const doubled = (keyword: 'allOf' | 'anyOf' | 'oneOf') => ({
  $defs: { node: { type: 'object', properties: { of: { [keyword]: [twice, twice] } } } },
  $ref: '#/$defs/node',
})

describe('AJV', () => {
  it('distinguishes the same value at two places, and in two checks', async () => {
    const check = await checkWith(loadAjv, {
      $defs: {
        even: {
          anyOf: [
            { type: 'number', multipleOf: 2 },
            { type: 'array', items: { $ref: '#/$defs/even' } },
          ],
        },
      },
      properties: { a: { $ref: '#/$defs/even' }, b: { $ref: '#/$defs/even' } },
    })
    const shared = [3]
    expect(new Set(check({ a: shared, b: shared }).map(({ path }) => path))).toEqual(new Set(['/a', '/b']))
    shared[0] = 4
    expect(check({ a: shared, b: shared })).toEqual([])
    shared[0] = 5
    expect(check({ a: shared, b: shared })).not.toEqual([])
  })
})

describe('AJV', () => {
  it('accepts an object that is both a map of properties and a schema', async () => {
    const open = {}
    const choices = { enum: [1, 2], anyOf: Array.from({ length: 30 }, (_, place) => ({ const: place })) }
    const properties = { any: open, of: { type: 'object', patternProperties: open, additionalProperties: { type: 'string' } } }
    const check = await checkWith(loadAjv, { type: 'object', properties: { ...properties, choices } })
    expect(check({ any: 1, of: { a: 'b' }, choices: 2 })).toEqual([])
    expect(check({ of: { 'x-steps': 5 } })).not.toEqual([])
  })
})

describe('the interpreting validator', () => {
  it('keeps what a referenced schema has evaluated, even for the second reference', async () => {
    const check = await checkWith(loadInterpreter, {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { a: { properties: { a: {}, next: { $ref: '#/$defs/a' } }, dependentSchemas: { b: { properties: { b: {} } } } } },
      allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }],
      unevaluatedProperties: false,
    })
    expect(check({ a: 1, b: 2 })).toEqual([])
    expect(renderIssues(check({ a: 1, c: 2 }))).toMatch(/"c"/)
  })

  it('distinguishes what a referenced schema has evaluated from what the siblings of the reference have', async () => {
    const a = { $ref: '#/$defs/a' }
    const check = await checkWith(loadInterpreter, {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { a: { properties: { a: {}, next: a }, dependentSchemas: { b: { properties: { b: {} } } } } },
      allOf: [
        { allOf: [a, { properties: { z: {} } }], unevaluatedProperties: false },
        { allOf: [a], unevaluatedProperties: false },
      ],
    })
    expect(check({ a: 1, b: 2 })).toEqual([])
    expect(renderIssues(check({ b: 1, z: 2 }))).toMatch(/"z"/)
  })
})

describe.each([
  ['AJV', loadAjv],
  ['the interpreting validator', loadInterpreter],
])('%s', (_, load) => {
  it.each(['not', 'maybe'])(`accepts a valid filter with ${LEVELS} levels of "%s"`, async (op) => {
    const check = await checkWith(load, filter)
    expect(check(nested(LEVELS, op, whole))).toEqual([])
  })

  it.each<[string, object, RegExp]>([
    ['whose leaf lacks a field', nested(LEVELS, 'not', { field: 'a' }), /must have required property 'equals'/],
    ['without operators', nested(LEVELS, undefined, whole), /must have required property 'op'/],
    [
      'with an unknown operator inside',
      nested(LEVELS / 2, 'not', nested(LEVELS / 2, 'never', whole)),
      /must be equal to constant/,
    ],
  ])(`explains a filter with ${LEVELS} levels %s`, async (_, value, words) => {
    expect(renderIssues((await checkWith(load, filter))(value))).toMatch(words)
  })

  it('checks no value twice for a schema with two references to it', async () => {
    const value = nested(LEVELS, undefined, {})
    const wrong = nested(LEVELS, undefined, { of: 5 })
    for (const keyword of ['allOf', 'anyOf'] as const) {
      const check = await checkWith(load, doubled(keyword))
      expect(check(value)).toEqual([])
      expect(renderIssues(check(wrong))).toMatch(/must be object/)
    }
    const once = await checkWith(load, doubled('oneOf'))
    expect(renderIssues(once(nested(LEVELS, undefined, {})))).toMatch(/must match exactly one schema/)
  })

  it('checks a text against 40 schemas that refer to the next one three times', async () => {
    const check = await checkWith(load, chain(40))
    expect(check('a')).toEqual([])
    expect(check(5)).not.toEqual([])
  })

  it('ignores the contents of unknown keywords and of definitions without references', async () => {
    const check = await checkWith(load, {
      ui: { type: 'button', minimum: 'low' },
      $defs: { a: { type: 'button' } },
      type: 'number',
    })
    expect(check(5)).toEqual([])
    expect(check('a')).not.toEqual([])
  })

  it('checks each name of an object against a referenced schema', async () => {
    const check = await checkWith(load, {
      $defs: { name: { minLength: 2, anyOf: [{ enum: ['aa', 'bb'] }, { $ref: '#/$defs/long' }] }, long: { minLength: 3 } },
      propertyNames: { $ref: '#/$defs/name' },
    })
    expect(check({ aa: 1, bbb: 2 })).toEqual([])
    expect(check({ aa: 1, x: 2 })).not.toEqual([])
    expect(check({ aa: 1, cc: 2 })).not.toEqual([])
  })

  it('checks names against the schema that checks their object', async () => {
    const own = { $ref: '#' }
    const check = await checkWith(load, {
      anyOf: [
        { type: 'string', maxLength: 2 },
        { type: 'object', propertyNames: own, additionalProperties: own },
      ],
    })
    expect(check({ a: { b: 'c' } })).toEqual([])
    expect(check({ a: 'b', abc: 'd' })).not.toEqual([])
    expect(check({ a: { b: 'c', abc: 'd' } })).not.toEqual([])
  })

  const wide = {
    type: 'array',
    items: {
      anyOf: Array.from({ length: 300 }, (_, place) => ({ required: [`k${place}`], properties: { x: { const: place } } })),
    },
  }

  const last = { k299: 1, x: 299 }

  it('refuses a value that takes too many steps, and starts counting again for the next one', async () => {
    const check = await checkWith(load, wide)
    expect(check(Array.from({ length: 200_000 }, () => last))).toMatchObject([{ keyword: 'too_complex', path: '' }])
    expect(check([last])).toEqual([])
    expect(check([{ x: -1 }])).not.toEqual([])
  })

  it('accepts large values for large schemas', async () => {
    const names = Array.from({ length: 100 }, (_, place) => `n${place}`)
    const check = await checkWith(load, {
      type: 'array',
      items: {
        type: 'object',
        required: names,
        properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
      },
    })
    const row = Object.fromEntries(names.map((name) => [name, 1]))
    expect(check(Array.from({ length: 2_000 }, () => row))).toEqual([])
  })

  it('finishes for a nested value that would be checked repeatedly', async () => {
    const check = await checkWith(load, filter)
    const issues = check(nested(60, 'maybe', { field: 'a' }))
    expect(issues).not.toEqual([])
    expect(renderIssues(issues)).toMatch(/equals/)
  })
})
