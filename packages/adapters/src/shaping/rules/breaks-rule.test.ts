/** Tests that the rule checker finds each broken rule. */
import { describe, expect, it } from 'vitest'
import { anthropicRules } from '../../wire/anthropic-messages/rules.ts'
import { anthropicStrictSchema, bedrockStrictSchema } from '../../wire/anthropic-messages/strict-rules.ts'
import { geminiRules } from '../../wire/gemini/rules.ts'
import { moonshotRules, openaiChatRules, xaiRules } from '../../wire/openai-chat/rules.ts'
import { openaiStrictSchema } from '../../wire/openai-chat/strict-rules.ts'
import { breaksRule } from './breaks-rule.ts'
import type { SchemaRules } from './tool-rules.ts'

const property = (schema: object) => ({ type: 'object', properties: { a: schema }, required: ['a'], additionalProperties: false })
const open = (schema: object) => ({ type: 'object', properties: { a: schema } })
const gemini = geminiRules.schema

describe('a schema that breaks a rule', () => {
  it.each<[string, object, SchemaRules, string]>([
    ['a root that is not an object', { type: 'array' }, openaiChatRules.schema, 'root'],
    ['a root without properties', { type: 'object' }, openaiChatRules.schema, 'rootProperties'],
    ['anyOf at the root', { type: 'object', properties: {}, anyOf: [] }, anthropicRules.schema, 'rootChoice'],
    ['an invalid property name', { type: 'object', properties: { 'a b': {} } }, anthropicRules.schema, 'keys'],
    ['additionalProperties: false', property({}), xaiRules.schema, 'objects'],
    ['a tuple in items', open({ type: 'array', items: [{}] }), moonshotRules.schema, 'tuples'],
    ['a type next to anyOf', open({ type: 'object', anyOf: [{}] }), moonshotRules.schema, 'anyOf'],
    ['a reference', open({ $ref: '#' }), gemini, 'references'],
    ['a reference without a target', property({ $ref: '#/$defs/A' }), openaiStrictSchema, 'references'],
    [
      'a recursive schema',
      { ...property({ $ref: '#/$defs/A' }), $defs: { A: property({ $ref: '#/$defs/A' }) } },
      anthropicStrictSchema,
      'recursion',
    ],
    ['a schema for any value', open(true as unknown as object), gemini, 'untyped'],
    ['allOf', open({ allOf: [] }), gemini, 'allOf'],
    ['oneOf', open({ oneOf: [] }), gemini, 'oneOf'],
    ['a description next to anyOf', open({ anyOf: [{ type: 'string' }], description: 'D' }), gemini, 'anyOf'],
    ['const', open({ type: 'string', const: 'x' }), gemini, 'constants'],
    ['an enum of numbers', open({ type: 'integer', enum: [1] }), gemini, 'choices'],
    ['an enum with an empty string', open({ type: 'string', enum: [''] }), gemini, 'choices'],
    ['a list of types', open({ type: ['string', 'null'] }), gemini, 'types'],
    ['no type', open({ description: 'D' }), gemini, 'untyped'],
    ['an array without items', open({ type: 'array' }), gemini, 'items'],
    ['a required property that is not declared', open({ type: 'object', properties: {}, required: ['b'] }), gemini, 'required'],
    ['an unknown keyword', open({ type: 'string', 'x-mine': 1 }), gemini, 'x-mine'],
    ['a format', open({ type: 'string', format: 'email' }), gemini, 'format'],
    ['an open object', open({ type: 'string' }), openaiStrictSchema, 'objects'],
    ['an optional property', { ...property({ type: 'string' }), required: [] }, openaiStrictSchema, 'objects'],
    ['a description next to a reference', property({ $ref: '#', description: 'D' }), openaiStrictSchema, 'references'],
    ['look-ahead', property({ type: 'string', pattern: '(?=a)' }), openaiStrictSchema, 'pattern'],
    ['a minimum', property({ type: 'integer', minimum: 1 }), anthropicStrictSchema, 'minimum'],
    ['minItems of two', property({ type: 'array', items: { type: 'string' }, minItems: 2 }), anthropicStrictSchema, 'minItems'],
    ['a minimum length', property({ type: 'string', minLength: 1 }), anthropicStrictSchema, 'minLength'],
  ])('is reported: %s', (_, schema, rules, rule) => {
    expect(breaksRule(schema, rules)?.rule).toBe(rule)
  })

  it('is reported with its path, even if it is nested deeply', () => {
    const schema = property({ anyOf: [{ type: 'null' }, { type: 'array', items: property({ type: 'integer', minimum: 1 }) }] })
    expect(breaksRule(schema, anthropicStrictSchema)).toMatchObject({
      path: '/properties/a/anyOf/1/items/properties/a',
      rule: 'minimum',
    })
  })
})

it.each<[string, object, SchemaRules]>([
  ['a default in strict mode, which is an exception', property({ type: 'string', default: 'x' }), openaiStrictSchema],
  [
    'types in upper case, which are an exception',
    { type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true } } },
    gemini,
  ],
  ['a minimum length on Bedrock', property({ type: 'string', minLength: 1 }), bedrockStrictSchema],
  ['minItems of one', property({ type: 'array', items: { type: 'string' }, minItems: 1 }), anthropicStrictSchema],
  ['keywords without a rule', open({ oneOf: [true], 'x-mine': 1 }), openaiChatRules.schema],
])('breaksRule finds no fault in %s', (_, schema, rules) => {
  expect(breaksRule(schema, rules)).toBeUndefined()
})
