import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkWith } from '../../../test/schema/validators/check.ts'
import { checkOf, validate } from '../validate.ts'
import type { Check } from './check.ts'
import { loadInterpreter } from './interpreter/interpreter.ts'

const FULL = Boolean(process.env.X_FULL)
const NAMES = ['a', 'b', 'c', 'toString', 'constructor', 'a/b~c']
const name = fc.constantFrom(...NAMES)
const text = fc.oneof(fc.constantFrom('', 'a', 'b', 'aa', '1', '𝄞', '2024-01-31', 'x@y.z'), fc.string({ maxLength: 5 }))
const number = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(0.5, 1e15, -0, 2.0))
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null))

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(name, text), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

const small = fc.nat({ max: 4 })
const strings = fc.record(
  { type: fc.constant('string'), minLength: small, maxLength: small, pattern: fc.constantFrom('^a', 'a$', '^(a|b)*$', '[0-9]') },
  { requiredKeys: ['type'] },
)
const numbers = fc.record(
  {
    type: fc.constantFrom('number', 'integer', ['number', 'null']),
    minimum: small,
    maximum: small,
    exclusiveMinimum: small,
    exclusiveMaximum: small,
    multipleOf: fc.constantFrom(1, 2, 3),
  },
  { requiredKeys: ['type'] },
)
const plain = fc.constantFrom({ type: 'boolean' }, { type: 'null' }, {}, true, false, { type: ['string', 'boolean'] })

const { schema } = fc.letrec<{ schema: unknown; part: unknown }>((tie) => ({
  part: fc.oneof({ depthSize: 'small' }, plain, strings, numbers, tie('schema')),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    strings,
    numbers,
    fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3, selector: (item) => `${typeof item} ${item}` }) }),
    fc.record({ const: value }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(name, tie('part'), { maxKeys: 3, noNullPrototype: true }),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: tie('part'),
        patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$', '^to'), tie('part'), { maxKeys: 2, noNullPrototype: true }),
        propertyNames: strings,
        minProperties: small,
        maxProperties: small,
        dependencies: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 1, noNullPrototype: true }),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        type: fc.constant('array'),
        items: tie('part'),
        minItems: small,
        maxItems: small,
        uniqueItems: fc.boolean(),
        contains: tie('part'),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { items: fc.array(tie('part'), { minLength: 1, maxLength: 3 }), additionalItems: tie('part') },
      { requiredKeys: ['items'] },
    ),
    ...(['anyOf', 'oneOf', 'allOf'] as const).map((keyword) =>
      fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((members) => ({ [keyword]: members })),
    ),
    fc.record({ not: tie('part') }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    fc.record({ if: tie('part'), then: tie('part'), else: tie('part') }, { requiredKeys: ['if'] }),
  ),
}))

const root = fc.oneof(
  { weight: 5, arbitrary: schema },
  {
    weight: 1,
    arbitrary: fc.tuple(schema, small).map(([inner, minLength]) => ({
      $defs: { inner },
      properties: { a: { $ref: '#/$defs/inner', minLength } },
      items: { $ref: '#/$defs/inner' },
    })),
  },
) as fc.Arbitrary<object>

/**
 * Checks with AJV alone, and returns only whether the value is valid. Undefined if AJV throws, as it does for some values with a
 * `toString`.
 */
function plainCheck(node: object): (given: unknown) => boolean | undefined {
  const isValid = new Ajv(PLAIN).compile(node)
  return (given) => {
    try {
      return isValid(given)
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
  }
}

const PLAIN = { allErrors: true, ownProperties: true, strict: false, logger: false, validateSchema: false, meta: false } as const

/** Compares the results for this number of pairs of a schema and a value. */
async function compare(checkOf: (node: object) => Promise<Check> | Check, pairs: number) {
  let agreed = 0
  let valid = 0
  const property = fc.asyncProperty(root, fc.array(value, { minLength: 20, maxLength: 20 }), async (node, values) => {
    const before = JSON.stringify([node, values])
    const plain = plainCheck(node)
    const check = await checkOf(node)
    for (const given of values) {
      const fits = check(given).length === 0
      const expected = plain(given)
      if (expected === undefined) continue
      expect(fits, JSON.stringify(given)).toBe(expected)
      agreed++
      if (fits) valid++
    }
    expect(JSON.stringify([node, values])).toBe(before)
  })
  await fc.assert(property, { numRuns: pairs / 20 })
  expect(agreed).toBeGreaterThan(pairs * 0.9)
  expect(valid).toBeGreaterThan(pairs * 0.1)
}

describe('for any schema and value', () => {
  it('agrees with AJV alone', () => compare(checkOf, FULL ? 10_000 : 1_000))

  it('agrees with AJV alone when the interpreter is used', () =>
    compare((node) => checkWith(loadInterpreter, node), FULL ? 3_000 : 600))

  it('gives every issue a place in the value and a message', async () => {
    await fc.assert(
      fc.asyncProperty(root, value, async (node, given) => {
        const issues = await validate(node, given)
        const interpreted = (await checkWith(loadInterpreter, node))(given)
        for (const { path, message } of [...issues, ...interpreted]) {
          expect(path).toMatch(/^(\/.*)?$/su)
          expect(message).toMatch(/^(must|boolean|property|is|holds)/)
        }
      }),
      { numRuns: FULL ? 500 : 100 },
    )
  })
})
