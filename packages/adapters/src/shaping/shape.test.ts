/** Tests how each keyword is shaped by the rules of each API. */
import { describe, expect, it } from 'vitest'
import { type Schema, shapeProperty, shapeRoot, toSpec, words } from '../../test/shaping/shapes.ts'
import { anthropicRules } from '../wire/anthropic-messages/rules.ts'
import { bedrockInlinedRules, bedrockRules } from '../wire/bedrock-converse/rules.ts'
import { geminiJsonSchemaRules, geminiRules } from '../wire/gemini/rules.ts'
import { mistralRules } from '../wire/mistral/rules.ts'
import { ollamaRules } from '../wire/ollama/rules.ts'
import { moonshotRules, openaiChatRules, xaiRules } from '../wire/openai-chat/rules.ts'
import { shortHash } from './names.ts'
import { shapeFor } from './shape.ts'

describe('an API that accepts any JSON Schema', () => {
  it.each([mistralRules, ollamaRules, geminiJsonSchemaRules, openaiChatRules, anthropicRules, bedrockRules])(
    'receives the same tool object: $id',
    (rules) => {
      const tool = toSpec({
        type: 'object',
        properties: {
          a: { oneOf: [{ const: 1 }, { type: ['string', 'null'], format: 'colour' }] },
          b: { prefixItems: [true] },
          c: { $ref: '#' },
        },
        required: ['a'],
        additionalProperties: { not: {} },
      })
      expect(shapeFor(tool, rules)).toMatchObject({ losses: [], strict: false, restores: false })
      expect(shapeFor(tool, rules).tool).toBe(tool)
    },
  )

  it('shapes a tool once for each API and mode', () => {
    const tool = toSpec({ type: 'object', properties: { a: { const: 1 } } })
    expect(shapeFor(tool, geminiRules)).toBe(shapeFor(tool, geminiRules))
    expect(shapeFor(tool, openaiChatRules, { strict: true })).toBe(shapeFor(tool, openaiChatRules, { strict: true }))
    expect(shapeFor(tool, openaiChatRules, { strict: true })).not.toBe(shapeFor(tool, openaiChatRules))
  })

  it("doesn't receive types that JSON Schema doesn't have", () => {
    const { sent, losses } = shapeProperty({ type: 'float', description: 'A price.' }, mistralRules)
    expect([sent, losses]).toEqual([{ description: 'A price.' }, ['dropped type /properties/a']])
  })
})

describe('references', () => {
  const definitions = {
    $defs: {
      Day: { type: 'string', enum: ['mon', 'tue'] },
      Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } },
    },
  }
  const withProperty = (schema: Schema) => ({
    type: 'object',
    properties: { a: schema },
    required: ['a'],
    additionalProperties: false,
    ...definitions,
  })

  it('by anchor, by id and by the name of a cyclic type are treated like pointers to the same definitions', () => {
    const day = { type: 'string', enum: ['mon', 'tue'] }
    const named = { a: { $ref: '#day' }, b: { $ref: 'Node' } }
    const pointers = { a: { $ref: '#/$defs/Day' }, b: { $ref: '#/$defs/Node' } }
    const node = (next: string) => ({ type: 'object', properties: { next: { $ref: next } } })
    const root = { type: 'object', required: ['a', 'b'], additionalProperties: false }
    const byName = toSpec({
      ...root,
      properties: named,
      $defs: { Day: { ...day, $anchor: 'day' }, Node: { ...node('Node'), $id: 'Node' } },
    })
    const byPointer = toSpec({ ...root, properties: pointers, $defs: { Day: day, Node: node('#/$defs/Node') } })
    for (const rules of [geminiRules, bedrockInlinedRules, moonshotRules, xaiRules, openaiChatRules]) {
      for (const strict of [false, true]) {
        if (strict && rules.strict === undefined) continue
        const [one, other] = [byName, byPointer].map((spec) => shapeFor(spec, rules, { strict }))
        expect(one?.losses).toEqual(other?.losses)
        if (one?.tool !== byName) expect(one?.tool.function.parameters).toEqual(other?.tool.function.parameters)
      }
    }
    expect(shapeFor(byName, geminiRules).losses.map(({ note }) => note)).not.toContain('does not resolve in these parameters')
  })

  it('are inlined if the API accepts none, together with the keywords next to them', () => {
    const { tool } = shapeRoot(withProperty({ $ref: '#/$defs/Day', description: 'When.' }), geminiRules)
    expect(tool.function.parameters).toEqual({
      type: 'object',
      properties: { a: { description: 'When.', type: 'string', enum: ['mon', 'tue'] } },
      required: ['a'],
    })
  })

  it('are cut off if they are recursive', () => {
    const { tool, losses } = shapeRoot(withProperty({ $ref: '#/$defs/Node' }), geminiRules)
    expect(tool.function.parameters.properties).toEqual({ a: { type: 'object', properties: { next: { type: 'object' } } } })
    expect(losses.map(words)).toContain('widened $ref /$defs/Node/properties/next')
  })

  it("are sent to models that resolve them, and inlined for models on Bedrock that don't", () => {
    const parameters = withProperty({ $ref: '#/$defs/Day' })
    expect(shapeRoot(parameters, bedrockRules).tool.function.parameters).toBe(parameters)
    expect(shapeRoot(parameters, bedrockInlinedRules).tool.function.parameters.properties).toEqual({ a: definitions.$defs.Day })
  })

  it('have no keywords next to them in strict mode', () => {
    const { tool, strict } = shapeRoot(
      { ...withProperty({ $ref: '#/$defs/Day', description: 'When.' }), $defs: { Day: definitions.$defs.Day } },
      openaiChatRules,
      true,
    )
    expect([strict, tool.function.parameters.properties]).toEqual([
      true,
      { a: { anyOf: [{ $ref: '#/$defs/Day' }], description: 'When.' } },
    ])
  })

  it('are strict at OpenAI but not at Anthropic if they are recursive', () => {
    const parameters = withProperty({ $ref: '#/$defs/Node' })
    expect(shapeRoot(parameters, openaiChatRules, true).strict).toBe(true)
    expect(shapeRoot(parameters, anthropicRules, true)).toMatchObject({
      strict: false,
      losses: [{ keyword: '$ref', action: 'refused' }],
    })
  })

  it('are recognized as recursive through a property called definitions, and in unused definitions', () => {
    const node = { type: 'object', properties: { definitions: { $ref: '#/$defs/Node' } } }
    for (const schema of [{ $ref: '#/$defs/Node' }, { type: 'string' }]) {
      const parameters = { ...withProperty(schema), $defs: { Node: node } }
      expect(shapeRoot(parameters, anthropicRules, true).losses.map(words)).toContain('refused $ref ')
    }
  })

  it('are inlined if their target moves', () => {
    const sub = { type: 'object', properties: { z: { type: 'integer' } } }
    const root = {
      anyOf: [
        { type: 'object', properties: { sub } },
        { type: 'object', properties: { other: { $ref: '#/anyOf/0/properties/sub' } } },
      ],
    }
    expect(shapeRoot(root, openaiChatRules).tool.function.parameters.properties).toEqual({ sub, other: sub })
    const tuple = { t: { type: 'array', items: [sub] }, u: { $ref: '#/properties/t/items/0' } }
    expect(shapeRoot({ type: 'object', properties: tuple }, moonshotRules).tool.function.parameters.properties).toEqual({
      t: { type: 'array', prefixItems: [sub] },
      u: sub,
    })
  })

  it("allow any value if they don't resolve, which is reported", () => {
    const { losses } = shapeRoot(withProperty({ $ref: '#/$defs/Missing' }), geminiRules)
    expect(losses.map(words)).toContain('widened $ref /properties/a')
  })
})

describe('strict mode', () => {
  it('requires every property, and restores omitted properties from nulls', () => {
    const parameters = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number', description: 'B' } },
      required: ['a'],
    }
    const shaped = shapeRoot(parameters, openaiChatRules, true)
    expect(shaped.tool.function.parameters).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { description: 'B', anyOf: [{ type: 'number' }, { type: 'null' }] } },
      required: ['a', 'b'],
      additionalProperties: false,
    })
    expect(shaped.losses.map(words)).toEqual(['widened nullable /properties/b'])
    expect(shaped.restore({ a: 'x', b: null })).toEqual({ a: 'x' })
    const whole = { a: 'x', b: 1 }
    expect(shaped.restore(whole)).toBe(whole)
  })

  it('keeps a null that the tool allows', () => {
    const { restore } = shapeRoot({ type: 'object', properties: { a: { type: ['string', 'null'] } } }, openaiChatRules, true)
    expect(restore({ a: null })).toEqual({ a: null })
  })

  it.each<[string, Schema]>([
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
    ['an object without declared properties', { type: 'object' }],
    ['patternProperties', { type: 'object', properties: {}, patternProperties: {}, additionalProperties: false }],
    ['no type', { description: 'Anything.' }],
    ['an object in an enum', { enum: ['x', { b: 1 }] }],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }] }],
    ['not', { type: 'string', not: { const: 'x' } }],
    ['an allOf that no value matches', { allOf: [{ type: 'string' }, { type: 'number' }] }],
    ['a reference without a target', { $ref: '#/$defs/Missing' }],
  ])("isn't used at OpenAI for %s", (_, schema) => {
    const { strict, losses } = shapeProperty(schema, openaiChatRules, true)
    expect(strict).toBe(false)
    expect(losses.filter((line) => line.startsWith('refused'))).toHaveLength(1)
  })

  it.each([openaiChatRules, anthropicRules])('allows the null of `nullable` as a type: $id', (rules) => {
    const due = { type: 'string', nullable: true }
    expect(shapeProperty(due, rules, true)).toMatchObject({ sent: { type: ['string', 'null'] }, losses: [], strict: true })
    const { sent } = shapeProperty({ anyOf: [due, { type: 'integer', nullable: false }] }, rules, true)
    expect(sent).toEqual({ anyOf: [{ type: ['string', 'null'] }, { type: 'integer' }] })
  })

  it('lets an optional property be omitted if its `enum` excludes the null of `nullable`', () => {
    const unit = { type: 'string', enum: ['km'], nullable: true }
    const { tool, restore } = shapeRoot({ type: 'object', properties: { unit } }, openaiChatRules, true)
    expect(tool.function.parameters.properties).toEqual({
      unit: { anyOf: [{ type: ['string', 'null'], enum: ['km'] }, { type: 'null' }] },
    })
    expect(restore({ unit: null })).toEqual({})
  })

  it("isn't used if the API's rules are unknown", () => {
    expect(shapeProperty({ type: 'string' }, mistralRules, true)).toMatchObject({ strict: false, losses: ['refused strict '] })
  })

  it("describes limits in words if the API doesn't accept them", () => {
    const schema = { type: 'integer', minimum: 1, maximum: 5, description: 'How many.' }
    const { sent, losses, strict } = shapeProperty(schema, anthropicRules, true)
    expect([sent, strict]).toEqual([{ type: 'integer', description: 'How many.\nAllowed: 1 to 5.' }, true])
    expect(losses).toEqual(['moved_to_description minimum /properties/a', 'moved_to_description maximum /properties/a'])
  })

  it.each([
    [anthropicRules, 'Number of characters: at least 2.'],
    [bedrockRules, undefined],
  ])('sends or describes the minimum length of a string, depending on $id', (rules, description) => {
    expect(shapeProperty({ type: 'string', minLength: 2 }, rules, true).sent).toEqual(
      description === undefined ? { type: 'string', minLength: 2 } : { type: 'string', description },
    )
  })

  it('is used if subschemas differ only in their titles', () => {
    const schema = {
      allOf: [
        { type: 'string', title: 'A' },
        { title: 'B', minLength: 1 },
      ],
    }
    const { strict, losses } = shapeProperty(schema, openaiChatRules, true)
    expect([strict, losses[0]]).toEqual([true, 'dropped title /properties/a/allOf/1'])
  })

  it('is refused for a schema that exceeds a size limit', () => {
    const nested = Array.from({ length: 11 }).reduce<Schema>(
      (inner) => ({ type: 'object', properties: { a: inner }, additionalProperties: false }),
      { type: 'string' },
    )
    expect(shapeRoot(nested, openaiChatRules, true).losses.at(-1)).toMatchObject({
      action: 'refused',
      note: '11 levels of nested objects, at most 10',
    })
  })
})

describe('hosts that accept fewer schemas', () => {
  it('xAI never receives a closed object', () => {
    const { tool, losses } = shapeRoot({ type: 'object', properties: {}, additionalProperties: false }, xaiRules)
    expect([tool.function.parameters, losses.map(words)]).toEqual([
      { type: 'object', properties: {} },
      ['dropped additionalProperties '],
    ])
  })

  it('Moonshot receives tuples as prefixItems, and types inside choices', () => {
    expect(shapeProperty({ type: 'array', items: [{ type: 'number' }] }, moonshotRules).sent).toEqual({
      type: 'array',
      prefixItems: [{ type: 'number' }],
    })
    expect(shapeProperty({ type: 'object', anyOf: [{ required: ['b'] }] }, moonshotRules).sent).toEqual({
      anyOf: [{ type: 'object', required: ['b'] }],
    })
  })
})

describe('renamed properties', () => {
  const properties = { 'a b': { type: 'string' }, c: { type: 'string' } }

  it.each([
    ['dependentRequired', { 'a b': ['c'] }, 1],
    ['dependentRequired', { c: ['d'] }, 0],
    ['patternProperties', { '^a ': { minLength: 4 } }, 1],
    ['not', { required: ['a b'] }, 1],
  ])('are reported for %s if it refers to them: %j', (keyword, value, count) => {
    const { losses } = shapeProperty({ type: 'object', properties, [keyword]: value }, anthropicRules)
    expect(losses.filter((line) => line === `widened ${keyword} /properties/a`)).toHaveLength(count)
  })

  it.each([
    ['another choice requires this name', { required: ['a b'] }, 1],
    ['another choice has a property with the new name', { properties: { a_b: { type: 'string' } } }, 1],
    ['all choices rename it', { properties: { 'a b': { type: 'null' } }, required: ['a b'] }, 0],
    ['no other choice mentions it', { required: ['c'] }, 0],
  ])('are reported for oneOf if one choice renames a property and %s', (_, other, count) => {
    const { sent, losses } = shapeProperty(
      {
        oneOf: [
          { type: 'object', properties },
          { type: 'object', ...other },
        ],
      },
      anthropicRules,
    )
    expect(sent).toHaveProperty('oneOf')
    expect(losses.filter((line) => line === 'widened oneOf /properties/a')).toHaveLength(count)
  })

  it('never get the name of a property that is required but not declared', () => {
    const { sent } = shapeProperty({ type: 'object', properties, required: ['a b', 'a_b'] }, anthropicRules)
    const wireName = `a_b_${shortHash('a b')}`
    expect(sent).toMatchObject({ properties: { [wireName]: {}, c: {} }, required: [wireName, 'a_b'] })
  })

  it("are reported if restore can't reach them", () => {
    const patternProperties = { '^x': { type: 'object', properties } }
    const { losses } = shapeProperty({ type: 'object', patternProperties }, anthropicRules)
    expect(losses).toContain('widened patternProperties /properties/a')
  })
})
