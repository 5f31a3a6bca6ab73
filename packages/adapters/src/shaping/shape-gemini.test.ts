/** Tests how each keyword is shaped for the OpenAPI subset that Gemini accepts. */
import { describe, expect, it } from 'vitest'
import { type Schema, shapeProperty } from '../../test/shaping/shapes.ts'
import { geminiRules } from '../wire/gemini/rules.ts'

describe('the OpenAPI subset of Gemini', () => {
  it.each<[string, Schema, Schema, string[]]>([
    ['const', { const: 'x' }, { type: 'string', enum: ['x'] }, []],
    ['a const of null', { const: null }, { type: 'null' }, []],
    ['an enum of numbers', { enum: [1, 2] }, { type: 'string', format: 'enum', enum: ['1', '2'] }, []],
    [
      'an enum with an empty string',
      { type: 'string', enum: ['', 'x'] },
      { type: 'string', enum: ['x'] },
      ['dropped enum /properties/a'],
    ],
    [
      'an enum of a number and the same number as a string',
      { enum: [1, '1'] },
      { type: 'string', format: 'enum', enum: ['1'] },
      ['dropped enum /properties/a'],
    ],
    [
      'an enum in which one value has another type',
      { type: 'integer', enum: [1, 1.5] },
      { type: 'string', format: 'enum', enum: ['1'] },
      [],
    ],
    [
      'an exclusive minimum in the form of draft 4',
      { type: 'number', minimum: 5, exclusiveMinimum: true },
      { type: 'number', minimum: 5, description: 'The minimum itself is excluded.' },
      ['moved_to_description exclusiveMinimum /properties/a'],
    ],
    [
      'a tuple and a list in one allOf',
      { type: 'array', allOf: [{ prefixItems: [{ type: 'string' }] }, { items: { type: 'number' } }] },
      { type: 'array', items: { type: 'string' }, description: 'Items in this order: [{"type":"string"}].' },
      [
        'dropped items /properties/a/allOf/1',
        'moved_to_description prefixItems /properties/a/allOf/0',
        'widened prefixItems /properties/a/allOf/0',
      ],
    ],
    [
      'items of any value and items of one type in one allOf',
      { type: 'array', allOf: [{ items: true }, { items: { type: 'string' } }] },
      { type: 'array', items: { type: 'string' } },
      [],
    ],
    ['both booleans', { enum: [true, false] }, { type: 'boolean' }, []],
    ['an enum with null', { enum: ['x', null] }, { type: 'string', enum: ['x'], nullable: true }, []],
    [
      'an enum whose values have another type',
      { type: 'array', enum: ['x'] },
      { type: 'array', items: ANY_ITEM(), description: 'One of ["x"].' },
      ['moved_to_description enum /properties/a'],
    ],
    ['a type and null', { type: ['string', 'null'], minLength: 1 }, { type: 'string', nullable: true, minLength: 1 }, []],
    [
      'two types',
      { type: ['string', 'number'], minLength: 1, minimum: 2 },
      {
        anyOf: [
          { type: 'string', minLength: 1 },
          { type: 'number', minimum: 2 },
        ],
      },
      [],
    ],
    [
      'anyOf of a schema and null',
      { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'D' },
      { type: 'string', description: 'D', nullable: true },
      [],
    ],
    [
      'oneOf',
      { oneOf: [{ type: 'string' }, { type: 'number' }] },
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
      ['widened oneOf /properties/a'],
    ],
    [
      'keywords next to anyOf',
      { type: 'string', minLength: 1, description: 'D', anyOf: [{ pattern: 'a' }, { pattern: 'b' }] },
      {
        anyOf: [
          { type: 'string', minLength: 1, description: 'D', pattern: 'a' },
          { type: 'string', minLength: 1, pattern: 'b' },
        ],
      },
      [],
    ],
    [
      'allOf',
      {
        allOf: [
          { type: 'string', minLength: 1 },
          { minLength: 3, maxLength: 9 },
        ],
      },
      { type: 'string', minLength: 3, maxLength: 9 },
      [],
    ],
    [
      'unsupported limits',
      { type: 'integer', exclusiveMinimum: 0, multipleOf: 5 },
      { type: 'integer', description: 'More than 0. A multiple of 5.' },
      ['moved_to_description exclusiveMinimum /properties/a', 'moved_to_description multipleOf /properties/a'],
    ],
    ['a supported format', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }, []],
    [
      'an unsupported format',
      { type: 'string', format: 'email', description: 'Whose.' },
      { type: 'string', description: 'Whose.\nFormat: email.' },
      ['moved_to_description format /properties/a'],
    ],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      {
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        maxItems: 2,
        description: 'Items in this order: [{"type":"string"},{"type":"number"}].',
      },
      ['moved_to_description prefixItems /properties/a', 'widened prefixItems /properties/a'],
    ],
    ['an array without items', { type: 'array' }, { type: 'array', items: ANY_ITEM() }, []],
    [
      'properties without a type',
      { properties: { b: { type: 'string' } } },
      { type: 'object', properties: { b: { type: 'string' } } },
      [],
    ],
    [
      'a required property that is not declared',
      { type: 'object', properties: { b: { type: 'string' } }, required: ['b', 'c'] },
      { type: 'object', properties: { b: { type: 'string' } }, required: ['b'], description: 'Required: c.' },
      ['moved_to_description required /properties/a'],
    ],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'number' } },
      { type: 'object', description: 'Other properties: {"type":"number"}.' },
      ['moved_to_description additionalProperties /properties/a'],
    ],
    ['a keyword of another type', { type: 'string', minimum: 1 }, { type: 'string' }, ['dropped minimum /properties/a']],
    [
      'unknown keywords',
      { type: 'string', 'x-mine': 1, $comment: 'c' },
      { type: 'string' },
      ['dropped x-mine /properties/a', 'dropped $comment /properties/a'],
    ],
    ['types in upper case', { type: 'STRING', enum: ['x'], nullable: true }, { type: 'STRING', enum: ['x'], nullable: true }, []],
  ])('%s', (_, schema, sent, losses) => {
    const shaped = shapeProperty(schema, geminiRules)
    expect([shaped.sent, shaped.losses]).toEqual([sent, losses])
  })

  it('replaces a schema for any value with a choice of every type', () => {
    expect(shapeProperty({ description: 'D' }, geminiRules).sent).toEqual({
      anyOf: [
        { type: 'string', nullable: true, description: 'D' },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'object' },
        { type: 'array', items: ANY_ITEM() },
      ],
    })
  })
})

/** Returns the items of an array whose schema doesn't declare any. */
function ANY_ITEM(): Schema {
  return { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'object' }] }
}
