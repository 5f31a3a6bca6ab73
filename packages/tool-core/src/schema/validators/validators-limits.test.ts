import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { checkWith } from '../../../test/schema/validators/check.ts'
import { renderIssues } from '../issue.ts'
import { loadAjv } from './ajv/ajv.ts'
import { loadInterpreter } from './interpreter/interpreter.ts'

const slow = Type.String({ pattern: '\\s+$' })

function texts(count: number, length: number): string[] {
  return Array.from({ length: count }, (_, index) => `${' '.repeat(length)}${index}`)
}

function keysOf(names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, 1]))
}

describe.each([
  ['AJV', loadAjv],
  ['the interpreting validator', loadInterpreter],
])('%s', (_name, load) => {
  async function words(schema: object, value: unknown) {
    return renderIssues((await checkWith(load, schema))(value))
  }

  it('matches many long texts with slow patterns in the time that it takes to read them', async () => {
    const check = await checkWith(load, Type.Array(slow))
    expect(renderIssues(check(texts(500, 3_100)))).toMatch(/must match pattern/)
    expect(renderIssues(check([' ', ' '.repeat(30_000)]))).toBe('')
    const members = Array.from({ length: 20 }, (_, index) => ({ pattern: `\\s+$|\\s+${index}$` }))
    expect(await words({ type: 'string', anyOf: members }, `${' '.repeat(20_000)}x`)).toMatch(/must match/)
  })

  it('matches the keys for patternProperties and propertyNames in that time too', async () => {
    const value = keysOf(texts(500, 3_100))
    expect(await words({ propertyNames: { pattern: '\\s+$' } }, value)).not.toBe('')
    expect(await words({ patternProperties: { '\\s+$': { type: 'number' } } }, value)).toBe('')
  })

  it.each([
    [0.01, [19.99, 1.1, 0.07, 1e21, 4.35, -8.2], [19.999, 1e-9]],
    [1, [3, 1e21, -0], [0.5, 1e-7]],
    [1e-7, [3e-7, 1], [1e-8]],
  ])('computes multiples of %d in decimals', async (multipleOf, right, wrong) => {
    const schema = Type.Number({ multipleOf })
    for (const value of right) expect(await words(schema, value)).toBe('')
    for (const value of wrong) expect(await words(schema, value)).toBe(`must be multiple of ${multipleOf}`)
  })

  it('distinguishes keys with lone surrogates', async () => {
    const schema = Type.Record(Type.String(), Type.Number(), { minProperties: 3 })
    expect(await words(schema, { '\ud800': 1, '\ud801': 2, '\ufffd': 3 })).toBe('')
    expect(await words(schema, { '\ud800': 'x', '\ud801': 2, '\ufffd': 3 })).toMatch(/must be number$/)
  })

  it('does not let an inherited property satisfy a dependency', async () => {
    for (const keyword of ['dependencies', 'dependentRequired']) {
      expect(await words({ type: 'object', [keyword]: { a: ['valueOf'] } }, { a: 1 })).not.toBe('')
      expect(await words({ type: 'object', [keyword]: { a: ['b'] } }, { a: 1 })).not.toBe('')
      expect(await words({ type: 'object', [keyword]: { a: ['valueOf'] } }, { a: 1, valueOf: 2 })).toBe('')
      expect(await words({ type: 'object', [keyword]: { a: ['valueOf'], toString: ['b'] } }, {})).toBe('')
    }
  })

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['url', ['https://example.org/a'], ['http://169.254.169.254/', 'http://localhost/', 'http://127.0.0.1/', 'ftp:x']],
    ['int32', [5, -(2 ** 31)], [2 ** 31, 0.5]],
    ['int64', [2 ** 40], [0.5]],
    ['double', [0.5], []],
    ['byte', ['YWJj'], ['a', '***']],
    ['iso-date-time', ['2024-01-31T10:00:00'], ['2024-02-30T10:00:00']],
    [
      'date-time',
      ['2024-01-31T10:00:00Z', '2024-01-31T10:00:00+0100'],
      ['2024-01-31T10:00:00', `2024-01-31T10:00:00.${'0'.repeat(3_000)}Z`],
    ],
    ['password', ['x'], []],
  ])('checks the format %s', async (format, right, wrong) => {
    for (const value of right) expect(await words({ format }, value)).toBe('')
    for (const value of wrong) expect(await words({ format }, value)).toBe(`must match format "${format}"`)
  })

  it('reports the keywords beside a format with their own messages', async () => {
    expect(await words({ type: 'integer', format: 'int32', minimum: 5 }, 4)).toBe('must be >= 5')
  })

  it.each<[string, unknown]>([
    ['exclusiveMinimum', true],
    ['minLength', '3'],
    ['multipleOf', '3'],
    ['uniqueItems', 'yes'],
    ['required', 'a'],
    ['enum', 5],
    ['properties', []],
    ['items', 5],
    ['anyOf', {}],
    ['format', 5],
    ['pattern', 5],
    ['not', 5],
  ])('throws for a value that is not allowed for the keyword %s', async (keyword, value) => {
    await expect(checkWith(load, { [keyword]: value })).rejects.toThrow(`${keyword} value must be [`)
  })
})
