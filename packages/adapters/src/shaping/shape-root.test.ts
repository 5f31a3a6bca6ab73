/** What becomes of the root: one object, whatever it was put together from. */
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

  it.each([openaiChatRules, anthropicRules, geminiRules])('$id: a choice becomes one object that allows each', (rules) => {
    const { tool, losses } = shapeRoot(choice, rules)
    expect(tool.function.parameters).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      description: 'Needs a, or b.',
    })
    expect(losses.map(words)).toEqual(['widened anyOf '])
  })

  it('a property that two choices have may be as either says', () => {
    const kinds = ['x', 'y'].map((kind) => ({ type: 'object', properties: { kind: { const: kind } }, required: ['kind'] }))
    const { tool } = shapeRoot({ oneOf: kinds }, openaiChatRules)
    expect(tool.function.parameters).toEqual({
      type: 'object',
      properties: { kind: { anyOf: [{ const: 'x' }, { const: 'y' }] } },
      required: ['kind'],
    })
  })

  it('choices inside choices are all there', () => {
    const choice = (...values: string[]) => ({ anyOf: values.map((value) => ({ properties: { a: { const: value } } })) })
    const { tool } = shapeRoot({ anyOf: [choice('1', '2'), choice('3', '4')] }, openaiChatRules)
    expect(JSON.stringify(tool.function.parameters.properties).match(/"const":"\d"/g)).toHaveLength(4)
  })

  it('a part that is closed says so for the patterns of another as well', () => {
    const parts = [{ patternProperties: { '^x': { type: 'string' } } }, { additionalProperties: false }]
    const { losses } = shapeRoot({ type: 'object', allOf: parts }, openaiChatRules)
    expect(losses.map(words)).toEqual(['widened additionalProperties /allOf/1'])
  })

  it('parts keep their conditions apart', () => {
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

  it("that isn't an object is sent as one without properties", () => {
    const { tool, losses } = shapeRoot({ type: 'array', items: {} }, moonshotRules)
    expect(tool.function.parameters).toEqual({ type: 'object', properties: {} })
    expect(losses.map(words)).toEqual(['dropped schema '])
  })

  it('that is a reference is written out', () => {
    const { tool } = shapeRoot(
      { $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: { b: { type: 'string' } } } } },
      mistralRules,
    )
    expect(tool.function.parameters).toMatchObject({ type: 'object', properties: { b: { type: 'string' } } })
  })

  it('without properties gets some where objects without are dropped', () => {
    expect(shapeRoot({ type: 'object' }, openaiChatRules).tool.function.parameters).toEqual({ type: 'object', properties: {} })
  })
})
