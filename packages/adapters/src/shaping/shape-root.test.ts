/** Tests that the root becomes a single object, whatever it consists of. */
import { describe, expect, it } from 'vitest'
import { shapeRoot, words } from '../../test/shaping/shapes.ts'
import { anthropicRules } from '../wire/anthropic-messages/rules.ts'
import { geminiRules } from '../wire/gemini/rules.ts'
import { mistralRules } from '../wire/mistral/rules.ts'
import { moonshotRules, openaiChatRules } from '../wire/openai-chat/rules.ts'

describe('the root', () => {
  const choice = {
    type: 'object',
    properties: { a: { type: 'string' } },
    anyOf: [{ required: ['a'] }, { properties: { b: { type: 'number' } }, required: ['b'] }],
  }

  it.each([openaiChatRules, anthropicRules, geminiRules])(
    '$id: merges choices into one object that accepts each of them',
    (rules) => {
      const { tool, losses } = shapeRoot(choice, rules)
      expect(tool.function.parameters).toEqual({
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'number' } },
        description: 'Needs a, or b.',
      })
      expect(losses.map(words)).toEqual(['widened anyOf '])
    },
  )

  it('allows the values of both choices for a property that both declare', () => {
    const kinds = ['x', 'y'].map((kind) => ({ type: 'object', properties: { kind: { const: kind } }, required: ['kind'] }))
    const { tool } = shapeRoot({ oneOf: kinds }, openaiChatRules)
    expect(tool.function.parameters).toEqual({
      type: 'object',
      properties: { kind: { anyOf: [{ const: 'x' }, { const: 'y' }] } },
      required: ['kind'],
    })
  })

  it('merges nested choices', () => {
    const choice = (...values: string[]) => ({ anyOf: values.map((value) => ({ properties: { a: { const: value } } })) })
    const { tool } = shapeRoot({ anyOf: [choice('1', '2'), choice('3', '4')] }, openaiChatRules)
    expect(JSON.stringify(tool.function.parameters.properties).match(/"const":"\d"/g)).toHaveLength(4)
  })

  it('reports a closed subschema as widened if another one allows properties by pattern', () => {
    const parts = [{ patternProperties: { '^x': { type: 'string' } } }, { additionalProperties: false }]
    const { losses } = shapeRoot({ type: 'object', allOf: parts }, openaiChatRules)
    expect(losses.map(words)).toEqual(['widened additionalProperties /allOf/1'])
  })

  it('keeps the conditions of two subschemas separate', () => {
    const [one, other] = [{ required: ['x'] }, { required: ['y'] }]
    const conditions = [
      ['then', one],
      ['else', other],
    ].map(([keyword, inner], index) =>
      Object.fromEntries([
        ['if', { minProperties: index }],
        [keyword, inner],
      ]),
    )
    const { tool, losses } = shapeRoot({ type: 'object', allOf: conditions }, openaiChatRules)
    expect(Object.hasOwn(tool.function.parameters, 'else')).toBe(false)
    expect(losses.map(words)).toEqual(['dropped if /allOf/1', 'dropped else /allOf/1'])
  })

  it("becomes an object without properties if it isn't an object", () => {
    const { tool, losses } = shapeRoot({ type: 'array', items: {} }, moonshotRules)
    expect(tool.function.parameters).toEqual({ type: 'object', properties: {} })
    expect(losses.map(words)).toEqual(['dropped schema '])
  })

  it('is inlined if it is a reference', () => {
    const { tool } = shapeRoot(
      { $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: { b: { type: 'string' } } } } },
      mistralRules,
    )
    expect(tool.function.parameters).toMatchObject({ type: 'object', properties: { b: { type: 'string' } } })
  })

  it('gets empty properties if the API drops objects without them', () => {
    expect(shapeRoot({ type: 'object' }, openaiChatRules).tool.function.parameters).toEqual({ type: 'object', properties: {} })
  })
})
