/** Schemas from elsewhere that are deep, wide, endless or poisoned: shaping ends, and what goes out is small. */
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

it('takes work for two long lists of values that goes with their length', async () => {
  expect(await findQuadratic(join(import.meta.dirname, '../../test/shaping/linear-readings.ts'))).toEqual([])
})

describe.each(RULES)('$id, strict: $strict', ({ rules, strict }) => {
  it('cuts what is nested 20,000 levels deep', () => {
    const { tool, losses } = shapeRoot(nest(20_000), rules, strict)
    expect(JSON.stringify(tool.function.parameters).length).toBeLessThan(100)
    expect(losses.map(words)).toContain('widened schema ')
  })

  it('cuts a schema that holds itself', () => {
    const schema: Schema = { type: 'object', properties: {} }
    schema.properties = { a: schema, b: schema }
    const { tool, losses } = shapeRoot(schema, rules, strict)
    expect(tool.function.parameters).toEqual({ type: 'object', properties: {} })
    expect(losses.map(words)).toContain('widened schema ')
  })

  it('ends for objects that stand at two places at each step', () => {
    let schema: Schema = { type: 'string' }
    for (let level = 0; level < 60; level++) schema = { type: 'object', properties: { a: schema, b: schema } }
    expect(JSON.stringify(shapeRoot(schema, rules, strict).tool).length).toBeLessThan(1_000)
  })

  it('takes long lists of values in two parts', () => {
    const { tool } = shapeRoot(twoLists(20_000), rules, strict)
    expect(Object.keys(tool.function.parameters.properties as Schema)).toHaveLength(2)
  })

  it('ends for references that double at each step', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const next = { $ref: `#/$defs/D${index + 1}` }
        return [`D${index}`, { type: 'object', properties: { a: next, b: next } }]
      }),
    )
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/D0' } }, $defs: { ...$defs, D40: { type: 'string' } } }
    expect(JSON.stringify(shapeRoot(schema, rules, strict).tool).length).toBeLessThan(5_000_000)
  })

  it('ends for references that lead to each other and to nothing else', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } },
    }
    const { tool, losses } = shapeRoot(schema, rules, strict)
    expect(Object.keys(tool.function.parameters.properties as Schema)).toEqual(['a'])
    // Gemini takes no references: there any value may stand in the place of this one.
    expect(JSON.stringify(tool).includes('$ref')).toBe(rules !== geminiRules)
    expect(losses.map(words).includes('widened $ref /$defs/B')).toBe(rules === geminiRules)
  })

  it(`takes ${MANY} parts, choices and items of a tuple`, () => {
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

  it('a property called __proto__ stays data', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string","polluted":1},"constructor":{"type":"string"}},"required":["__proto__"],"__proto__":{"polluted":1}}',
    )
    const { tool, restore } = shapeRoot(schema, rules, strict)
    expect(Object.getPrototypeOf(tool.function.parameters)).toBe(Object.prototype)
    expect(Object.hasOwn(tool.function.parameters, 'polluted')).toBe(false)
    restore(JSON.parse('{"__proto__":{"polluted":1},"constructor":null}'))
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('takes values of the wrong kind in every place', () => {
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

it('args may be deeper than schemas are followed, and stay as they are there', () => {
  const schema = { type: 'object', properties: { next: { $ref: '#' }, note: { type: 'string' } } }
  const { restore, strict } = shapeRoot(schema, openaiChatRules, true)
  let args: Schema = {}
  for (let level = 0; level < 5_000; level++) args = { next: args, note: null }
  expect(strict).toBe(true)
  expect(restore({ next: { next: null, note: 'x' }, note: null })).toEqual({ next: { note: 'x' } })
  let restored = restore(args)
  expect(Object.keys(restored)).toEqual(['next'])
  for (let level = 0; level < 600; level++) [restored, args] = [restored.next as Schema, args.next as Schema]
  // No schema is followed so far.
  expect(restored).toBe(args)
})

it('ten thousand properties are shaped as they are', () => {
  const properties = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { type: 'string' }]))
  const { tool, losses } = shapeRoot({ type: 'object', properties }, geminiRules)
  expect(losses).toEqual([])
  expect(breaksRule(tool.function.parameters, geminiRules.schema)).toBeUndefined()
})
