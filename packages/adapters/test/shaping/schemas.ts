/** Random schemas with every keyword, both valid and invalid, for property tests. */
import fc from 'fast-check'

const NAMES = ['a', 'b', 'first name', 'ö', 'x'.repeat(70), 'type', 'properties', '__proto__'] as const
const anyName = fc.constantFrom(...NAMES)
const anyType = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null')
const anyValue = fc.constantFrom<unknown>('x', '', 'red', 1, 2.5, -3, true, false, null)
const anyReference = fc.constantFrom(
  '#',
  '#/$defs/One',
  '#/$defs/Two',
  '#/definitions/Old',
  '#/$defs/Missing',
  'https://example.org/a',
  '#/properties/a',
)
const anyCount = fc.integer({ min: 0, max: 4 })

/** The parameters of a tool: usually an object, with definitions that may be recursive. */
export const anyParameters: fc.Arbitrary<Record<string, unknown>> = fc
  .letrec<{ node: Record<string, unknown>; schema: unknown }>((tie) => ({
    schema: fc.oneof({ weight: 12, arbitrary: tie('node') }, { weight: 1, arbitrary: fc.boolean() }),
    node: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'schema' },
      fc.record({ type: anyType, description: fc.constantFrom('Words.', '') }, { requiredKeys: ['type'] }),
      fc.record(
        { type: fc.constant('string'), enum: fc.array(anyValue, { minLength: 1, maxLength: 3 }) },
        { requiredKeys: ['enum'] },
      ),
      fc.record({ const: anyValue }),
      fc.record({ $ref: anyReference, description: fc.constant('A reference.') }, { requiredKeys: ['$ref'] }),
      fc.record(
        {
          type: fc.constantFrom<unknown>('string', ['string', 'null'], ['string', 'number']),
          minLength: anyCount,
          maxLength: anyCount,
          pattern: fc.constantFrom('^a', '(?=b)b'),
          format: fc.constantFrom('date', 'date-time', 'email', 'colour'),
          default: anyValue,
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constantFrom<unknown>('number', 'integer', ['integer', 'null']),
          minimum: anyCount,
          exclusiveMaximum: anyCount,
          multipleOf: fc.constantFrom(2, 0.5),
          examples: fc.constant([1]),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(anyName, tie('schema'), { maxKeys: 3 }),
          required: fc.uniqueArray(anyName, { maxLength: 2 }),
          additionalProperties: tie('schema'),
          minProperties: anyCount,
          propertyNames: fc.constant({ pattern: '^[a-z]' }),
          patternProperties: fc.constant({ '^x-': { type: 'string' } }),
          title: fc.constant('Title'),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constant('array'),
          items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
          prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
          minItems: anyCount,
          uniqueItems: fc.boolean(),
          contains: tie('schema'),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
          type: anyType,
          description: fc.constant('A choice.'),
          properties: fc.dictionary(anyName, tie('schema'), { maxKeys: 2 }),
        },
        { requiredKeys: ['anyOf'] },
      ),
      fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record(
        { allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }), description: fc.constant('All.') },
        { requiredKeys: ['allOf'] },
      ),
      fc.record({ not: tie('schema'), if: tie('schema'), 'x-mine': fc.constant({ deep: [1] }) }, { requiredKeys: [] }),
    ) as fc.Arbitrary<Record<string, unknown>>,
  }))
  .node.chain((node) =>
    fc
      .record({ isObject: fc.boolean(), properties: fc.dictionary(anyName, fc.constant(node), { maxKeys: 3 }) })
      .map(({ isObject, properties }) =>
        isObject ? { type: 'object', properties, required: Object.keys(properties).slice(0, 1) } : node,
      ),
  )
  .chain((root) =>
    fc.constantFrom<Record<string, unknown>>(root, { ...root, $defs: DEFINITIONS, definitions: { Old: { type: 'integer' } } }),
  )
  // Converts the schema to the form that JSON.parse creates.
  .map((root) => JSON.parse(JSON.stringify(root)))

const DEFINITIONS = {
  One: { type: 'object', properties: { next: { $ref: '#/$defs/One' }, other: { $ref: '#/$defs/Two' } } },
  Two: { type: ['string', 'null'], minLength: 2 },
}
