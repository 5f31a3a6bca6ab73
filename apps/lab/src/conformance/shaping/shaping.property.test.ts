/** Shapes random schemas for every target. Every lost keyword must be reported, and the accepted values must differ only as reported. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkShaping } from './shaping-check.ts'
import { SHAPING_TARGETS } from './shaping-targets.ts'

const anyName = fc.constantFrom('a', 'b', 'first name', 'first_name', 'größe')
const anyValue = fc.constantFrom<unknown>('x', '', 1, 2.5, true, null)
const anyCount = fc.integer({ min: 0, max: 3 })

const { schema: anySchema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    fc.record({
      type: fc.constantFrom<unknown>('string', 'boolean', ['integer', 'null'], ['string', 'number']),
      description: fc.constant('D'),
    }),
    fc.record({ enum: fc.uniqueArray(anyValue, { minLength: 1, maxLength: 3 }) }),
    fc.record({ const: anyValue, description: fc.constant('D') }, { requiredKeys: ['const'] }),
    fc.record(
      { $ref: fc.constantFrom('#/$defs/One', '#/$defs/Two', '#/$defs/Missing'), description: fc.constant('D') },
      { requiredKeys: ['$ref'] },
    ),
    fc.record(
      { type: fc.constant('string'), minLength: anyCount, format: fc.constantFrom('date', 'email', 'uri') },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('integer'), minimum: anyCount, exclusiveMaximum: anyCount, multipleOf: fc.constant(2) },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(anyName, tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(anyName, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      },
      { requiredKeys: ['type', 'properties'] },
    ),
    fc.record(
      { type: fc.constant('array'), items: tie('schema'), uniqueItems: fc.boolean(), minItems: anyCount },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('array'), prefixItems: fc.array(tie('schema'), { maxLength: 2 }), items: fc.constant(false) },
      { requiredKeys: ['type', 'prefixItems'] },
    ),
    fc.record(
      { anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }), description: fc.constant('D') },
      { requiredKeys: ['anyOf'] },
    ),
    fc.record(
      { oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), type: fc.constant('object') },
      { requiredKeys: ['oneOf'] },
    ),
    // `allOf` has only one part: the check of keywords can't see how two parts restrict each other's types.
    fc.record({ allOf: fc.tuple(tie('schema')), description: fc.constant('D') }),
  ) as fc.Arbitrary<Record<string, unknown>>,
}))

const DEFINITIONS = {
  One: { type: 'object', properties: { next: { $ref: '#/$defs/One' }, 'a b': { enum: [1, 2] } } },
  Two: { type: ['string', 'null'], minLength: 2 },
}

interface Parameters {
  readonly type: string
  readonly properties: object
  readonly required: readonly string[]
  readonly $defs: object
}

const anyParameters: fc.Arbitrary<Parameters> = fc
  .dictionary(anyName, anySchema, { minKeys: 1, maxKeys: 3 })
  .map((properties) => ({
    type: 'object',
    properties,
    required: Object.keys(properties).slice(1),
    $defs: DEFINITIONS,
  }))

const text = { type: 'string' }
const within = (a: object): [Parameters] => [{ type: 'object', properties: { a }, required: [], $defs: DEFINITIONS }]
/** Schemas that failed in earlier versions. */
const EXAMPLES = [
  // The value contains the original name of a property that one choice renames.
  within({
    anyOf: [
      { type: 'object', properties: {}, required: ['first name'], additionalProperties: false },
      { allOf: [{ type: 'object', properties: { 'first name': text } }], description: 'D' },
    ],
  }),
  // Two choices have a property that only one of them renames.
  within({
    oneOf: [
      { type: 'object', properties: { a: text, 'first name': text } },
      { type: 'object', properties: {}, required: ['first name'] },
    ],
  }),
  // The wire name of one property is the name of another, which is required but not declared.
  within({ type: 'object', properties: { 'first name': text }, required: ['first_name'] }),
]

describe.each([...SHAPING_TARGETS].map(([name, target]) => ({ name, target })))('$name', ({ name, target }) => {
  it('follows every rule, reports every loss, and restores as reported', () => {
    fc.assert(
      fc.property(anyParameters, (parameters) => {
        const schema = JSON.parse(JSON.stringify(parameters))
        const one = {
          id: 'any',
          kind: 'document' as const,
          dialect: name,
          strict: false,
          name: 'tool',
          description: '',
          schema,
          conversions: [],
        }
        expect(checkShaping(one, name, target, 8).faults).toEqual([])
      }),
      { numRuns: 40, examples: EXAMPLES },
    )
  })
})
