import type { ToolSpec } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { toGrammar } from './to-grammar.ts'
import { LONGEST_REGEX } from './write-regex.ts'

type Schema = Record<string, unknown>

const tool = (parameters: object): ToolSpec => ({
  type: 'function',
  function: { name: 'send', description: 'A tool.', parameters: parameters as Schema },
})
const grammarOf = (parameters: object) => toGrammar([tool(parameters)])
const takes = (parameters: object, args: string) =>
  new RegExp(`^(?:${grammarOf(parameters).regex})$`).test(`{"name": "send", "arguments": ${args}}`)
const lossesOf = (parameters: object) => grammarOf(parameters).losses.map(({ path, keyword }) => `${path} ${keyword}`)
const ofValue = (value: unknown) => ({ type: 'object', properties: { value } })
const lossesOfValue = (value: unknown) => lossesOf(ofValue(value)).map((loss) => loss.replace('/properties/value', ''))

/** Creates optional members, the last of which contains the next level. In a grammar, it may follow each of the others. */
function levels(depth: number, width: number): Schema {
  const others = Array.from({ length: width - 1 }, (_, index) => [`text${index}`, { type: 'string' }])
  const last = depth === 1 ? { type: 'string' } : levels(depth - 1, width)
  return { type: 'object', properties: { ...Object.fromEntries(others), last } }
}

describe('the size of a grammar', () => {
  it('is linear in the schema for GBNF', () => {
    const sizeOf = (depth: number, width: number) => grammarOf(levels(depth, width)).gbnf.length
    expect(sizeOf(5, 12)).toBeLessThan(50_000)
    expect(sizeOf(10, 12)).toBeLessThan(2.2 * sizeOf(5, 12))
    expect(sizeOf(5, 240)).toBeLessThan(22 * sizeOf(5, 12))
  })

  it('is linear in the depth of lists, records and unions for GBNF', () => {
    const nest = (depth: number): Schema =>
      depth === 0
        ? { type: 'string' }
        : { anyOf: [{ type: 'array', items: { type: 'object', additionalProperties: nest(depth - 1) } }, { type: 'null' }] }
    expect(grammarOf(ofValue(nest(20))).gbnf.length).toBeLessThan(20_000)
  })

  it('grows little faster than the number of members for the regular expression', () => {
    const sizeOf = (width: number) => grammarOf(levels(1, width)).regex?.length ?? Number.NaN
    expect(sizeOf(64)).toBeLessThan(7 * sizeOf(16))
  })

  it('is limited for the regular expression, which is omitted and reported as a loss', () => {
    const { regex, losses } = grammarOf(levels(5, 12))
    expect(regex?.length).toBeUndefined()
    expect(losses).toEqual([{ tool: '', path: '', keyword: 'regex' }])
    expect(grammarOf(levels(2, 12)).regex?.length).toBeLessThan(LONGEST_REGEX)
    expect(lossesOf(levels(2, 12))).toEqual([])
  })

  it('is limited if every part refers to every other part', () => {
    const names = Array.from({ length: 60 }, (_, index) => `n${index}`)
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]))
    const $defs = Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]))
    const { gbnf, regex } = toGrammar([tool({ type: 'object', properties, $defs })], { regexDepth: 4 })
    expect(gbnf.length).toBeLessThan(1_000_000)
    expect(regex).toBeUndefined()
  })
})

describe('optional members', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const object = (...required: string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'null' }])),
    required,
  })
  const write = (keys: readonly string[]) => `{${keys.map((key) => `"${key}": null`).join(', ')}}`

  it.each([[[]], [['a']], [['d']], [['c', 'f']]])('may each be omitted, if the required ones are %j', (required) => {
    const pattern = new RegExp(`^(?:${grammarOf(object(...required)).regex})$`)
    for (let bits = 0; bits < 64; bits++) {
      const keys = names.filter((_, index) => bits & (1 << index))
      const isWhole = required.every((name) => keys.includes(name))
      const takesIt = pattern.test(`{"name": "send", "arguments": ${write(keys)}}`)
      expect([keys, takesIt]).toEqual([keys, isWhole])
    }
  })

  it('are in order, with commas only between them', () => {
    for (const args of ['{"a": null,}', '{, "a": null}', '{"a": null "b": null}', write(['b', 'a']), write(['a', 'a'])])
      expect([args, takes(object(), args)]).toEqual([args, false])
  })

  it('have a rule for each suffix in GBNF, so that each is written once', () => {
    const { gbnf } = grammarOf(object('d'))
    expect(gbnf).toContain(
      'tool-0-object-0-from-0 ::= "\\"a\\":" " "? "null" ("," " "? tool-0-object-0-from-1)? | tool-0-object-0-from-1',
    )
    for (const name of names) expect(gbnf.split(`\\"${name}\\":`)).toHaveLength(2)
  })
})

describe('a loss is reported', () => {
  it('for a union next to properties from which the grammar is built', () => {
    const properties = { a: { type: 'integer' }, b: { type: 'integer' } }
    const parameters = { type: 'object', properties, anyOf: [{ required: ['a'] }, { required: ['b'] }] }
    expect(lossesOf(parameters)).toEqual([' anyOf'])
    expect(takes(parameters, '{"a": 1}')).toBe(true)
    expect(takes(parameters, '{"a": "1"}')).toBe(false)
  })

  it('for keywords next to a reference', () => {
    const $defs = { text: { type: 'string' } }
    const value = { $ref: '#/$defs/text', minLength: 3, description: 'A text.' }
    expect(lossesOf({ ...ofValue(value), $defs })).toEqual(['/properties/value minLength'])
  })

  it.each(['minLength', 'maxLength', 'minItems', 'maxItems'])('for a %s above the maximum length', (keyword) => {
    const type = keyword.endsWith('Length') ? 'string' : 'array'
    expect(lossesOfValue({ type, [keyword]: 257 })).toEqual([` ${keyword}`])
    expect(lossesOfValue({ type, [keyword]: 256 })).toEqual([])
  })

  it('for a number of items that differs from the listed ones', () => {
    const prefixItems = [{ type: 'integer' }, { type: 'integer' }]
    expect(lossesOfValue({ type: 'array', prefixItems, minItems: 3 })).toEqual([' minItems'])
    expect(lossesOfValue({ type: 'array', prefixItems, maxItems: 1 })).toEqual([' maxItems'])
    expect(lossesOfValue({ type: 'array', prefixItems, minItems: 2, maxItems: 2 })).toEqual([])
  })

  it('for every keyword of a schema without a type, of an unknown type, or of a schema that accepts nothing', () => {
    expect(lossesOfValue({ minLength: 1, required: ['a'] })).toEqual([' minLength', ' required'])
    expect(lossesOfValue({ type: 'date' })).toEqual([' type'])
    expect(lossesOfValue(false)).toEqual([' false'])
  })

  it('for keywords next to a union or listed values', () => {
    expect(lossesOfValue({ minLength: 2, anyOf: [{ type: 'string' }, { type: 'null' }] })).toEqual([' minLength'])
    expect(lossesOfValue({ type: 'string', anyOf: [{ type: 'string' }, { type: 'null' }] })).toEqual([' type'])
    expect(lossesOfValue({ enum: ['a', 'bc'], minLength: 2 })).toEqual([' minLength'])
  })
})

describe('the grammar of a schema', () => {
  it("requires a key that isn't declared, with any value", () => {
    const parameters = { type: 'object', properties: { a: { type: 'integer' } }, required: ['b'] }
    expect(takes(parameters, '{"a": 1, "b": "x"}')).toBe(true)
    expect(takes(parameters, '{"b": 1}')).toBe(true)
    expect(takes(parameters, '{"a": 1}')).toBe(false)
  })

  it('keeps the listed values that match the type', () => {
    const parameters = { ...ofValue({ type: 'string', enum: ['1', 1, null] }), required: ['value'] }
    expect(['"1"', '1', 'null'].map((value) => takes(parameters, `{"value": ${value}}`))).toEqual([true, false, false])
  })

  it('uses the type of the schema for members of a union that have none', () => {
    const parameters = { ...ofValue({ type: 'string', anyOf: [{ maxLength: 1 }, { minLength: 3 }] }), required: ['value'] }
    expect(['"a"', '"ab"', '"abc"', '1'].map((value) => takes(parameters, `{"value": ${value}}`))).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(lossesOf(parameters)).toEqual([])
  })
})

describe("throws a programmer's error", () => {
  const deep = (depth: number): Schema => (depth === 0 ? { type: 'null' } : ofValue(deep(depth - 1)))

  it('for a schema that is nested too deeply, however deep it is', () => {
    expect(() => grammarOf(deep(64))).not.toThrow()
    expect(() => grammarOf(deep(65))).toThrow('the schema of "send" is nested deeper than 64 levels')
    let chain: unknown = 'x'
    for (let depth = 0; depth < 100_000; depth++) chain = [chain]
    for (const parameters of [ofValue({ const: chain }), { type: 'object', default: chain }]) {
      expect(() => grammarOf(parameters)).toThrow(TypeError)
    }
    const self: Schema = { type: 'object' }
    self.properties = { self }
    expect(() => grammarOf(self)).toThrow(TypeError)
  })

  it("but not for a long chain of references, which isn't deep", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`n${index}`, ofValue({ $ref: `#/$defs/n${(index + 1) % 5000}` })]),
    )
    expect(grammarOf({ ...ofValue({ $ref: '#/$defs/n0' }), $defs }).gbnf).toContain('tool-0-ref-4999 ::= ')
  })

  it("for values and lengths that can't be satisfied", () => {
    expect(() => grammarOf(ofValue({ type: 'string', enum: [1] }))).toThrow(
      'no value of "enum" at /properties/value matches its type',
    )
    expect(() => grammarOf(ofValue({ enum: [] }))).toThrow('no value of "enum"')
    expect(() => grammarOf(ofValue({ type: 'string', minLength: 3, maxLength: 2 }))).toThrow('"minLength" at /properties/value')
  })
})
