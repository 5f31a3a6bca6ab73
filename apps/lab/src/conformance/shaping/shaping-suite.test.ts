/** Tests the `shaping` suite, and that its checks notice faults. */
import { rmSync } from 'node:fs'
import { anthropicRules, geminiRules, openaiChatRules, shapeSpec } from '@x/adapters/wire'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestRunner } from '../../../test/conformance/runner.ts'
import { convertBFCL } from './shaping-bfcl.ts'
import { judge, relax } from './shaping-judge.ts'
import { unaccounted } from './shaping-keywords.ts'
import { defineShapingSuite } from './shaping-suite.ts'
import { SHAPING_TARGETS } from './shaping-targets.ts'
import { missingFromDescriptions } from './shaping-words.ts'

const { folder, writeCorpus, runJson } = createTestRunner()
afterAll(() => rmSync(folder, { recursive: true }))

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

describe('the suite', () => {
  it('counts rows, accepted tools, and unsupported targets', async () => {
    const row = { dialect: 'openai-chat', name: 'a.b', wire_name: 'a_b', schema: city, expected_parameters: city }
    const { code, report } = await runJson('shaping', {
      'requests.json': [
        { id: 'one', ...row },
        { id: 'strict', ...row, dialect: 'openai-strict', expected_parameters: { ...city, additionalProperties: false } },
        { id: 'wrong name', ...row, wire_name: 'a__b' },
        { id: 'foreign', ...row, dialect: 'smoke-signals' },
      ],
      'accepted_tools.json': [
        { dialect: 'gemini', field: 'parameters', name: 'city', schema: { ...city, type: 'OBJECT' }, other_fields: null },
      ],
    })
    expect({ code, ...report }).toMatchObject({ code: 1, passed: 3, failed: 1, skipped: 1 })
    expect(report.failures).toEqual([{ id: 'wrong name', why: 'the name is a_b, not a__b' }])
    expect(report.metrics).toMatchObject({ wires: { 'openai-strict': { strict: 1 } } })
  })

  it('shapes a document of BFCL for every target', async () => {
    const result = await defineShapingSuite(SHAPING_TARGETS).run(
      writeCorpus({
        'tools.json': [
          { id: 'f', name: 'f.g', description: 'F.', parameters: { type: 'dict', properties: { a: { type: 'any' } } } },
        ],
      }),
    )
    expect([result.passed, result.failed]).toEqual([SHAPING_TARGETS.size, 0])
  })
})

it('converts the types of BFCL to JSON Schema, and reports each change', () => {
  const { schema, conversions } = convertBFCL({
    type: 'dict',
    properties: {
      type: { type: 'float', default: 'None' },
      list: { type: 'tuple', items: { type: 'any' } },
      x: { type: 'Boolean', optional: true },
    },
  })
  expect(schema).toEqual({
    type: 'object',
    properties: { type: { type: 'number' }, list: { type: 'array', items: {} }, x: { type: 'boolean' } },
  })
  expect(conversions.map(({ tag, path }) => `${tag} ${path}`)).toEqual([
    'type /type',
    'type /properties/type/type',
    'default /properties/type/default',
    'type /properties/list/type',
    'any /properties/list/items/type',
    'type /properties/x/type',
    'optional /properties/x/optional',
  ])
})

describe('the walk over keywords', () => {
  const original = {
    type: 'object',
    properties: { a: { type: 'string', minLength: 2, enum: ['xy'] }, b: { const: 1 } },
    required: ['a'],
  }

  it('finds each keyword that is neither sent nor reported', () => {
    expect(unaccounted(original, original, [])).toEqual([])
    const { a, ...others } = original.properties
    const { minLength: _, ...short } = a
    expect(unaccounted(original, { ...original, properties: { a: short, ...others } }, [])).toEqual([
      'minLength at /properties/a is neither sent nor reported as a loss',
    ])
    expect(unaccounted(original, { ...original, properties: { a } }, [])).toHaveLength(1)
    expect(unaccounted(original, { ...original, required: [] }, [])).toHaveLength(1)
    expect(unaccounted(original, { ...original, properties: { a: { ...a, enum: ['z'] }, ...others } }, [])).toHaveLength(1)
  })

  it('accepts a loss at the same place, and at no other', () => {
    const sent = { ...original, properties: { a: { type: 'string', enum: ['xy'] }, b: { const: 1 } } }
    const loss = { keyword: 'minLength', action: 'dropped' as const }
    expect(unaccounted(original, sent, [{ ...loss, path: '/properties/a' }])).toEqual([])
    expect(unaccounted(original, sent, [{ ...loss, path: '/properties/b' }])).toHaveLength(1)
  })

  it('accepts equivalent forms', () => {
    const shaped = shapeSpec({ type: 'function', function: { name: 'f', description: 'F.', parameters: original } }, geminiRules)
    expect(unaccounted(original, shaped.tool.function.parameters, shaped.losses)).toEqual([])
  })
})

describe('the judge', () => {
  const original = { type: 'object', properties: { a: { type: 'integer', minimum: 5 } }, required: ['a'] }
  const shaped = { type: 'object', properties: { a: { type: 'integer', maximum: 9 } }, required: ['a'] }
  const restore = (args: object) => args

  it('finds values that are accepted without a loss', () => {
    expect(judge({ original, shaped, losses: [], restore }, 50, 1)?.faults[0]).toMatch(/is accepted: .*must be >= 5/)
  })

  it('counts values that a loss reports', () => {
    const losses = [{ path: '/properties/a', keyword: 'minimum', action: 'moved_to_description' as const }]
    const judgement = judge({ original, shaped, losses, restore }, 50, 1)
    expect(judgement?.faults).toEqual([])
    expect(judgement?.reported).toBeGreaterThan(0)
  })

  it('judges restored values', () => {
    expect(judge({ original, shaped, losses: [], restore: () => ({ a: 7 }) }, 50, 1)).toMatchObject({
      judged: 50,
      reported: 0,
      faults: [],
    })
  })

  it('allows any value of a renamed property under its original name, and only there', () => {
    const properties = { 'a b': { type: 'string' } }
    const open = { type: 'object', properties: { 'a b': {} }, required: ['a b'] }
    const losses = [{ path: '/properties/a b', keyword: 'name', action: 'widened' as const }]
    const named = judge({ original: { type: 'object', properties }, shaped: open, losses, restore }, 50, 1)
    expect(named).toMatchObject({ judged: 50, faults: [] })
    expect(named?.reported).toBeGreaterThan(0)
    const renamed = { type: 'object', properties: { a_b: {} }, required: ['a_b'] }
    const restored = ({ a_b: value }: Record<string, unknown>) => ({ 'a b': value })
    const faults = judge({ original: { type: 'object', properties }, shaped: renamed, losses, restore: restored }, 50, 1)?.faults
    expect(faults?.[0]).toContain('must be string')
  })

  it('removes only lost keywords', () => {
    const schema = { type: 'object', properties: { a: { oneOf: [{ type: 'string', minLength: 1 }] } } }
    const losses = [
      {
        path: '/properties/a',
        keyword: 'oneOf',
        action: 'widened' as const,
        note: 'sent as anyOf: a value may match more than one choice',
      },
      { path: '/properties/a/oneOf/0', keyword: 'minLength', action: 'dropped' as const },
      { path: '/properties/a', keyword: 'nullable', action: 'widened' as const },
    ]
    expect(relax(schema, losses)).toEqual({ type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } } })
  })
})

it('finds a keyword that moved to a description without it', () => {
  const original = { type: 'object', properties: { a: { type: 'string', format: 'email', description: 'email' } } }
  const wire = (description: string) => ({ type: 'object', properties: { a: { type: 'string', description } } })
  const losses = [{ path: '/properties/a', keyword: 'format', action: 'moved_to_description' as const }]
  expect(missingFromDescriptions(original, wire('email\nFormat: email.'), losses)).toEqual([])
  expect(missingFromDescriptions(original, wire('email'), losses)).toEqual([
    'format at /properties/a is missing from the description',
  ])
  expect(missingFromDescriptions(original, wire('email'), [])).toEqual([])
})

it.each([
  [openaiChatRules, true],
  [anthropicRules, false],
])('a tool of the corpus form is shaped as a user would ask for it', (rules, strict) => {
  const spec = { type: 'function' as const, function: { name: 'weather.today', description: 'W.', parameters: city } }
  expect(shapeSpec(spec, rules, { strict })).toMatchObject({
    name: 'weather.today',
    strict,
    tool: { function: { name: 'weather_today' } },
  })
  expect(shapeSpec(spec, rules, { strict })).toBe(shapeSpec(spec, rules, { strict }))
})
