/** AJV must not write much more code than the size of the schema suggests. Larger schemas are left to the interpreter. */
import { afterEach, expect, it, vi } from 'vitest'
import { factsOf } from '../check.ts'
import { loadAjv } from './ajv.ts'
import { isBeyondAjv } from './beyond-ajv.ts'

afterEach(() => vi.unstubAllGlobals())

/** Counts the characters of code that AJV writes for a schema and a value that is invalid. */
async function codeFor(schema: object, value: unknown): Promise<number> {
  let characters = 0
  const counting = new Proxy(Function, {
    construct: (target, args) => {
      characters += String(args.at(-1)).length
      return Reflect.construct(target, args)
    },
  })
  const facts = await factsOf(schema)
  const compile = await loadAjv(facts)
  vi.stubGlobal('Function', counting)
  expect(compile(facts)(value)).not.toEqual([])
  return characters
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)
const object = (count: number, member: unknown) => Object.fromEntries(names(count).map((name) => [name, member]))
const list = (count: number, item: object) => Array.from({ length: count }, () => item)
const invalid = { ...object(1, 5), type: 5 }

const SHAPES: readonly (readonly [string, (width: number) => object])[] = [
  ['dependentRequired', (width) => ({ dependentRequired: object(width, names(width)) })],
  ['dependencies', (width) => ({ dependencies: object(width, names(width)) })],
  ['dependentRequired in several parts', (width) => ({ allOf: list(width, { dependentRequired: object(width, names(9)) }) })],
  ['required', (width) => ({ allOf: list(width, { required: names(width) }) })],
  ['enum', (width) => ({ allOf: list(width, { enum: names(width) }) })],
  [
    'definitions with many references to them',
    (width) => {
      const $defs = { part: { properties: object(width, { type: 'string', minLength: 1 }) } }
      return { $defs, properties: object(width, { $ref: '#/$defs/part' }) }
    },
  ],
  ['long names', (width) => ({ properties: { ['n'.repeat(width * 500)]: { required: names(width) } } })],
  [
    'nested long names',
    (width) => {
      let schema: object = { type: 'string' }
      for (let level = 0; level < width; level++) schema = { properties: { ['n'.repeat(100)]: schema }, required: names(2) }
      return schema
    },
  ],
  ['patternProperties', (width) => ({ patternProperties: object(width * 20, {}), additionalProperties: false })],
  ['boolean schemas', (width) => ({ properties: object(width * 20, false) })],
  ['long patterns', (width) => ({ allOf: list(width, { pattern: '^abc'.repeat(width) }) })],
  ['long constants', (width) => ({ allOf: list(width, { const: 'abc'.repeat(width) }) })],
  [
    'conditions',
    (width) => {
      let schema: object = { type: 'string' }
      for (let level = 0; level < width / 2; level++) schema = { if: { required: ['a'] }, else: schema }
      return schema
    },
  ],
  [
    'all keywords',
    (width) => {
      const strings = { type: 'string', minLength: 1, maxLength: 2, pattern: '^a', const: 'a', enum: ['a'] }
      const others = { minimum: 1, multipleOf: 2, uniqueItems: true, minItems: 3, minProperties: 3, required: ['a', 'b'] }
      return { properties: object(width, { ...strings, ...others }) }
    },
  ],
]

it.each(SHAPES)('bounds the code for %s', async (_, shape) => {
  for (const width of [4, 9, 20, 45, 90, 140]) {
    const schema = { ...shape(width), type: 'object', required: ['missing'] }
    if (isBeyondAjv(await factsOf(schema))) continue
    expect(await codeFor(schema, invalid)).toBeLessThan(1_000_000)
  }
})

it.each(SHAPES.slice(0, 10))('leaves a schema to the interpreter if it is wide: %s', async (_, shape) => {
  expect(isBeyondAjv(await factsOf(shape(4)))).toBe(false)
  expect(isBeyondAjv(await factsOf(shape(140)))).toBe(true)
})
