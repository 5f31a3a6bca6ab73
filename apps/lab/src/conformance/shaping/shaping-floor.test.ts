/** The output of an existing converter is a minimum: our output must contain it, in the same form or in a listed one. */
import { mistralRules } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { changesOf } from '../value-changes.ts'
import { toShapingRequest } from './shaping-case.ts'
import { FLOOR_EXCEPTIONS } from './shaping-floor-exceptions.ts'
import { checkCase } from './shaping-suite.ts'
import { SHAPING_TARGETS } from './shaping-targets.ts'

type Schema = Readonly<Record<string, unknown>>

function faultsOf(dialect: string, schema: Schema, expectation: object): readonly string[] {
  return checkCase(toShapingRequest({ id: 'one', dialect, schema, ...expectation }), SHAPING_TARGETS).flatMap(
    ({ faults }) => faults,
  )
}

const withA = (a: unknown, rest: object = {}) => ({ type: 'object', properties: { a }, ...rest })
const closed = { required: ['a'], additionalProperties: false }
const nullable = (a: object) => ({ anyOf: [a, { type: 'null' }] })
const strictly = (a: object) => withA(a, closed)

/** One example for each exception: the original schema, and what a converter sends. */
const FORMS: readonly (readonly [what: string, dialect: string, schema: Schema, expected: Schema | null])[] = [
  ['no parameters', 'gemini', { type: 'object', properties: {} }, null],
  [
    'allOf',
    'gemini',
    withA({ allOf: [{ type: 'number' }, { minimum: 2 }] }),
    withA({ allOf: [{ type: 'number' }, { minimum: 2 }] }),
  ],
  [
    'oneOf',
    'gemini',
    withA({ oneOf: [{ type: 'string' }, { type: 'number' }] }),
    withA({ oneOf: [{ type: 'string' }, { type: 'number' }] }),
  ],
  [
    'a choice with null',
    'gemini',
    withA({ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }),
    withA({ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }),
  ],
  [
    'a choice of one',
    'gemini',
    withA({ type: ['string', 'null'], minLength: 2 }),
    withA({ anyOf: [{ type: 'string' }], nullable: true, minLength: 2 }),
  ],
  [
    'keywords beside a choice',
    'gemini',
    withA({ type: ['string', 'integer', 'null'], description: 'A room.' }),
    withA({ anyOf: [{ type: 'string' }, { type: 'integer' }], nullable: true, description: 'A room.' }),
  ],
  [
    'an enum of numbers',
    'gemini',
    withA({ type: 'integer', enum: [7, 8] }),
    withA({ type: 'integer', format: 'enum', enum: ['7', '8'] }),
  ],
  [
    'a format that the API does not know',
    'gemini',
    withA({ type: 'string', format: 'email', description: 'Where to.' }),
    withA({ type: 'string', format: 'email', description: 'Where to.' }),
  ],
  [
    'a type beside a choice',
    'gemini',
    withA({ type: 'object', anyOf: [{ properties: { x: { type: 'string' } } }, { properties: { y: { type: 'number' } } }] }),
    withA({ type: 'object', anyOf: [{ properties: { x: { type: 'string' } } }, { properties: { y: { type: 'number' } } }] }),
  ],
  ['no type', 'gemini', withA({ description: 'Anything.' }), withA({ description: 'Anything.' })],
  [
    'a tuple',
    'gemini',
    withA({ type: 'array', items: [{ type: 'number' }, { type: 'string' }] }),
    withA({ type: 'array', items: [{ type: 'number' }, { type: 'string' }] }),
  ],
  [
    'an enum of values that are not of the type',
    'gemini',
    withA({ type: 'boolean', enum: ['yes', 'no'] }),
    withA({ type: 'boolean', enum: ['yes', 'no'] }),
  ],
  [
    'a property with another name',
    'gemini',
    { type: 'object', properties: { 'a-b': { type: 'string', format: 'uri' }, c: { type: 'number' } }, required: ['a-b'] },
    { type: 'object', properties: { 'a-b': { type: 'string', format: 'uri' }, c: { type: 'number' } }, required: ['a-b'] },
  ],
  [
    'keywords beside a $ref',
    'openai-strict',
    withA({ $ref: '#/$defs/one', description: 'Who.' }, { required: ['a'], $defs: { one: { type: 'string' } } }),
    withA({ $ref: '#/$defs/one', description: 'Who.' }, { ...closed, $defs: { one: { type: 'string' } } }),
  ],
  [
    'no type in strict mode',
    'openai-strict',
    { type: 'object', properties: { a: { description: 'Anything.' }, b: { type: 'string' } }, required: ['a', 'b'] },
    {
      type: 'object',
      properties: { a: { description: 'Anything.' }, b: { type: 'string' } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
  ],
  [
    '$schema in strict mode',
    'openai-strict',
    { $schema: 'http://json-schema.org/draft-07/schema#', ...withA({ type: 'string' }, { required: ['a'] }) },
    { $schema: 'http://json-schema.org/draft-07/schema#', ...strictly({ type: 'string' }) },
  ],
  [
    'a length in strict mode',
    'openai-strict',
    withA({ type: 'string', minLength: 2 }, { required: ['a'] }),
    strictly({ type: 'string', minLength: 2 }),
  ],
  [
    'a description that is repeated',
    'openai-strict',
    withA({ type: 'string', description: 'Who.' }),
    strictly({ description: 'Who.', ...nullable({ type: 'string', description: 'Who.' }) }),
  ],
  [
    'a map in strict mode',
    'openai-strict',
    { type: 'object', properties: { a: { type: 'object' }, b: { type: 'string', description: 'Who.' } }, required: ['a'] },
    {
      type: 'object',
      properties: { a: { type: 'object' }, b: { description: 'Who.', ...nullable({ type: 'string', description: 'Who.' }) } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
  ],
  [
    'keywords in a description',
    'anthropic-messages:strict-output',
    withA({ type: 'array', description: 'Names.', minItems: 3, items: { type: 'string', pattern: '^a; b$' } }),
    withA(
      { type: 'array', description: 'Names.\nmin items: 3.', items: { type: 'string', description: 'pattern: ^a; b$.' } },
      { additionalProperties: false },
    ),
  ],
]

describe('a form in the list', () => {
  it.each(FORMS)('is equivalent to the form of the converter: %s', (_, dialect, schema, expected) => {
    expect(faultsOf(dialect, schema, { expected_parameters: expected })).toEqual([])
  })

  it.each(FORMS)('does not hide a changed value: %s', (_, dialect, schema, expected) => {
    // Rewriting removes the order of parts and of choices, because that order has no meaning.
    const changes = [...changesOf({ expected_parameters: expected }, { others: {} })].filter(
      ({ kind, path }) =>
        !(kind === 'another order' && /required|allOf|anyOf$/.test(path)) && !(kind === 'an item less' && /allOf$/.test(path)),
    )
    const unnoticed = changes.filter((change) => faultsOf(dialect, schema, change.expected).length === 0)
    expect(unnoticed.map(({ kind, path }) => `${kind} ${path}`)).toEqual([])
    expect(changes).not.toEqual([])
  })

  it('has a reason, and belongs to the dialects that it names', () => {
    for (const { reason, dialects } of FLOOR_EXCEPTIONS) {
      expect(reason).toMatch(/\.$/)
      expect(dialects.filter((dialect) => !SHAPING_TARGETS.has(dialect))).toEqual([])
    }
    const [, , schema, expected] = FORMS.find(([what]) => what === 'a choice of one') as (typeof FORMS)[number]
    expect(faultsOf('mistral', schema, { expected_parameters: expected })).not.toEqual([])
  })
})

describe('the floor', () => {
  const schema = withA({ type: 'string', description: 'Who.' })

  it('may be exceeded by keywords of the original', () => {
    expect(faultsOf('mistral', schema, { expected_parameters: withA({ type: 'string' }) })).toEqual([])
  })

  it('names the place of each keyword that is missing or different', () => {
    const [missing, ...others] = faultsOf('mistral', schema, { expected_parameters: withA({ type: 'string', minLength: 1 }) })
    expect(missing).toBe('(f) below expected_parameters at /properties/a/minLength: expected 1, found nothing')
    expect(others).toEqual([])
    expect(faultsOf('mistral', schema, { expected_parameters: withA({ type: 'number' }) })).toEqual([
      '(f) below expected_parameters at /properties/a/type: expected "number", found "string"',
    ])
  })

  it('finds a keyword that neither the converter nor the original has', () => {
    const target = { rules: closingRules(), strict: false }
    const one = toShapingRequest({ id: 'one', dialect: 'own', schema, expected_parameters: schema })
    const faults = checkCase(one, new Map([['own', target]])).flatMap((verdict) => verdict.faults)
    expect(faults).toContain('(f) below expected_parameters at /additionalProperties: expected nothing, found false')
  })

  it.each([
    ['a code that it does not know', { code: 'melts' }, '(f) expected_error: cannot check the code melts'],
    [
      'an error of what is shaped without a loss',
      { code: 'throws' },
      '(f) the converter rejects the schema, but no loss is reported',
    ],
    ['no expectation', null, '(f) the row has neither expected_parameters nor expected_error'],
  ])('fails a row with %s', (_, error, fault) => {
    expect(faultsOf('mistral', schema, { expected_error: error })).toEqual([fault])
  })

  it('does not count the null of an optional property as a reason against strict mode', () => {
    const error = { expected_error: { code: 'not_strict_compatible' } }
    expect(faultsOf('openai-strict', schema, error)).toEqual(['(f) the converter rejects the schema, but no loss is reported'])
    expect(faultsOf('openai-strict', withA({ type: 'array', items: [{ type: 'string' }] }), error)).toEqual([])
  })
})

/** Returns rules that close objects without strict mode. */
function closingRules() {
  return { ...mistralRules, schema: { ...mistralRules.schema, objects: { is: 'closed' as const, source: 'a test' } } }
}
