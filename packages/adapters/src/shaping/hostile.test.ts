/** Tests malicious schemas: deep, wide, recursive or with dangerous keys. Shaping must end, and its result must be small. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RULES, twoLists } from '../../test/shaping/linear-readings.ts'
import { type Schema, shapeRoot, words } from '../../test/shaping/shapes.ts'
import { findQuadratic } from '../../test/work.ts'
import { geminiRules } from '../wire/gemini/rules.ts'
import { openaiChatRules } from '../wire/openai-chat/rules.ts'
import { breaksRule } from './rules/breaks-rule.ts'

const MANY = process.env.X_FULL ? 5_000 : 1_000

function nest(levels: number): Schema {
  let schema: Schema = { type: 'string' }
  for (let level = 0; level < levels; level++) schema = { type: 'object', properties: { a: schema } }
  return schema
}

it('combines two long lists of values in linear time', async () => {
  expect(await findQuadratic(join(import.meta.dirname, '../../test/shaping/linear-readings.ts'))).toEqual([])
})

describe.each(RULES)('$id, strict: $strict', ({ rules, strict }) => {
  it('cuts off a schema that is nested 20,000 levels deep', () => {
    const { tool, losses } = shapeRoot(nest(20_000), rules, strict)
    expect(JSON.stringify(tool.function.parameters).length).toBeLessThan(100)
    expect(losses.map(words)).toContain('widened schema ')
  })

  it('cuts off a schema that contains itself', () => {
    const schema: Schema = { type: 'object', properties: {} }
    schema.properties = { a: schema, b: schema }
    const { tool, losses } = shapeRoot(schema, rules, strict)
    expect(tool.function.parameters).toEqual({ type: 'object', properties: {} })
    expect(losses.map(words)).toContain('widened schema ')
  })

  it('ends for a schema that doubles at each of 60 levels', () => {
    let schema: Schema = { type: 'string' }
    for (let level = 0; level < 60; level++) schema = { type: 'object', properties: { a: schema, b: schema } }
    expect(JSON.stringify(shapeRoot(schema, rules, strict).tool).length).toBeLessThan(1_000)
  })

  it('accepts long lists of values in two subschemas', () => {
    const { tool } = shapeRoot(twoLists(20_000), rules, strict)
    expect(Object.keys(tool.function.parameters.properties as Schema)).toHaveLength(2)
  })

  it('ends for references that double at each level', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const next = { $ref: `#/$defs/D${index + 1}` }
        return [`D${index}`, { type: 'object', properties: { a: next, b: next } }]
      }),
    )
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/D0' } }, $defs: { ...$defs, D40: { type: 'string' } } }
    expect(JSON.stringify(shapeRoot(schema, rules, strict).tool).length).toBeLessThan(5_000_000)
  })

  it('ends for references that refer only to each other', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } },
    }
    const { tool, losses } = shapeRoot(schema, rules, strict)
    expect(Object.keys(tool.function.parameters.properties as Schema)).toEqual(['a'])
    // Gemini accepts no references, so this one is replaced with a schema for any value.
    expect(JSON.stringify(tool).includes('$ref')).toBe(rules !== geminiRules)
    expect(losses.map(words).includes('widened $ref /$defs/B')).toBe(rules === geminiRules)
  })

  it(`accepts ${MANY} subschemas, choices and tuple items`, () => {
    const many = Array.from({ length: MANY }, (_, index) => ({
      type: 'object',
      properties: { [`p${index}`]: { const: index }, kind: { const: index } },
      required: ['kind'],
    }))
    const schema = {
      type: 'object',
      properties: { a: { allOf: many }, b: { type: 'array', prefixItems: many } },
      anyOf: many,
      allOf: many,
    }
    expect(JSON.stringify(shapeRoot(schema, rules, strict).tool).length).toBeLessThan(5_000_000)
  })

  it('treats a property called __proto__ as data', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string","polluted":1},"constructor":{"type":"string"}},"required":["__proto__"],"__proto__":{"polluted":1}}',
    )
    const { tool, restore } = shapeRoot(schema, rules, strict)
    expect(Object.getPrototypeOf(tool.function.parameters)).toBe(Object.prototype)
    expect(Object.hasOwn(tool.function.parameters, 'polluted')).toBe(false)
    restore(JSON.parse('{"__proto__":{"polluted":1},"constructor":null}'))
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('accepts values of the wrong type in every position', () => {
    const schema = {
      type: 'object',
      properties: { a: 5, b: { type: 7, enum: 'x', anyOf: {}, allOf: 3, items: 'y', required: [1, null], $ref: {} } },
      required: 'a',
      $defs: [],
    }
    const shaped = shapeRoot(schema as Schema, rules, strict)
    const { parameters } = shaped.tool.function
    expect(shaped.strict).toBe(false)
    if (rules === geminiRules) expect(breaksRule(parameters, rules.schema)).toBeUndefined()
    else expect(parameters).toEqual(schema)
  })
})

it('restores arguments to a limited depth, and leaves deeper values unchanged', () => {
  const schema = { type: 'object', properties: { next: { $ref: '#' }, note: { type: 'string' } } }
  const { restore, strict } = shapeRoot(schema, openaiChatRules, true)
  let args: Schema = {}
  for (let level = 0; level < 5_000; level++) args = { next: args, note: null }
  expect(strict).toBe(true)
  expect(restore({ next: { next: null, note: 'x' }, note: null })).toEqual({ next: { note: 'x' } })
  let restored = restore(args)
  expect(Object.keys(restored)).toEqual(['next'])
  for (let level = 0; level < 600; level++) [restored, args] = [restored.next as Schema, args.next as Schema]
  // At this depth, the arguments are no longer compared with the schema.
  expect(restored).toBe(args)
})

it('shapes ten thousand properties without a loss', () => {
  const properties = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { type: 'string' }]))
  const { tool, losses } = shapeRoot({ type: 'object', properties }, geminiRules)
  expect(losses).toEqual([])
  expect(breaksRule(tool.function.parameters, geminiRules.schema)).toBeUndefined()
})
