/** Tests how arguments for a shaped schema are restored. */
import { describe, expect, it } from 'vitest'
import { shapeRoot } from '../../test/shaping/shapes.ts'
import { anthropicRules } from '../wire/anthropic-messages/rules.ts'
import { geminiRules } from '../wire/gemini/rules.ts'
import { openaiChatRules } from '../wire/openai-chat/rules.ts'

const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

describe('values that are sent as strings', () => {
  it('are restored, also in lists and objects', () => {
    const level = { type: 'integer', enum: [1, 2] }
    const schema = object({ a: level, list: { type: 'array', items: level }, on: { const: true }, any: { enum: ['x', 1, null] } })
    const { restore } = shapeRoot(schema, geminiRules)
    expect(restore({ a: '1', list: ['2', '1'], on: 'true', any: 'x' })).toEqual({ a: 1, list: [2, 1], on: true, any: 'x' })
  })

  it("stay unchanged if they aren't a choice, or have the original type", () => {
    const { restore } = shapeRoot(object({ a: { enum: [1, 2] } }), geminiRules)
    expect([restore({ a: '3' }), restore({ a: 2 })]).toEqual([{ a: '3' }, { a: 2 }])
  })

  it('stay strings if a string is a choice too', () => {
    expect(shapeRoot(object({ a: { enum: [1, '1'] } }), geminiRules).restore({ a: '1' })).toEqual({ a: '1' })
  })

  it('are distinguished by the choice that matches the object', () => {
    const schema = object({
      a: {
        anyOf: [
          object({ kind: { const: 'number' }, is: { enum: [1, 2] } }),
          object({ kind: { const: 'text' }, is: { enum: ['1', '2'] } }),
        ],
      },
    })
    const { restore } = shapeRoot(schema, geminiRules)
    expect(restore({ a: { kind: 'number', is: '1' } })).toEqual({ a: { kind: 'number', is: 1 } })
    expect(restore({ a: { kind: 'text', is: '1' } })).toEqual({ a: { kind: 'text', is: '1' } })
  })
})

it('distinguishes choices by their limits', () => {
  const lists = [
    { type: 'array', items: { enum: [1, 2] }, maxItems: 1 },
    { type: 'array', items: { enum: ['1', '2'] }, minItems: 2 },
  ]
  const { restore } = shapeRoot(object({ a: { anyOf: lists } }), geminiRules)
  expect([restore({ a: ['1'] }), restore({ a: ['1', '2'] })]).toEqual([{ a: [1] }, { a: ['1', '2'] }])
})

describe('renamed properties', () => {
  it('are restored, also inside definitions and maps', () => {
    const schema = {
      ...object({ 'first name': { type: 'string' }, map: { type: 'object', additionalProperties: { $ref: '#/$defs/P' } } }),
      $defs: { P: object({ größe: { type: 'number' } }) },
    }
    const shaped = shapeRoot(schema, anthropicRules)
    expect(shaped.tool.function.parameters).toMatchObject({
      properties: { first_name: {} },
      required: ['first_name', 'map'],
      $defs: { P: { properties: { gr__e: {} } } },
    })
    expect(shaped.restore({ first_name: 'A', map: { x: { gr__e: 1 } } })).toEqual({ 'first name': 'A', map: { x: { größe: 1 } } })
    expect(shaped.losses.map(({ keyword, path }) => [keyword, path])).toEqual([
      ['name', '/properties/first name'],
      ['name', '/$defs/P/properties/größe'],
    ])
  })

  it('are restored if another property has the new name originally', () => {
    const { restore, tool } = shapeRoot(object({ 'a b': { type: 'string' }, a_b: { type: 'integer' } }), anthropicRules)
    const [first, second] = Object.keys(tool.function.parameters.properties as object) as [string, string]
    expect(first).toBe('a_b')
    expect(restore({ [first]: 'x', [second]: 1 })).toEqual({ 'a b': 'x', a_b: 1 })
  })

  it("don't overwrite a property that the model wrote under its original name", () => {
    const { restore } = shapeRoot(object({ 'a b': { type: 'string' } }), anthropicRules)
    expect(restore({ a_b: 'wire', 'a b': 'own' })).toEqual({ a_b: 'wire', 'a b': 'own' })
  })
})

describe('nulls for omitted properties', () => {
  it('are removed at every depth', () => {
    const inner = object({ a: { type: 'string' }, b: { type: 'string' } }, ['a'])
    const { restore } = shapeRoot(object({ one: inner, list: { type: 'array', items: inner } }), openaiChatRules, true)
    expect(restore({ one: { a: 'x', b: null }, list: [{ a: 'y', b: null }] })).toEqual({ one: { a: 'x' }, list: [{ a: 'y' }] })
  })

  it('are removed according to a choice or a definition', () => {
    const schema = {
      ...object({ a: { anyOf: [{ $ref: '#/$defs/P' }, { type: 'string' }] } }),
      $defs: { P: object({ b: { type: 'number' } }, []) },
    }
    const { restore, strict } = shapeRoot(schema, openaiChatRules, true)
    expect([strict, restore({ a: { b: null } })]).toEqual([true, { a: {} }])
  })
})
