import { type ToolSpec, validate } from '@x/tool-core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toGrammar } from './to-grammar.ts'

const tool = (name: string, parameters: object): ToolSpec => ({
  type: 'function',
  function: { name, description: 'A tool.', parameters: parameters as Record<string, unknown> },
})
const weather = tool('get_weather', {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', minimum: 0 },
    unit: { enum: ['c', 'f'] },
    place: { anyOf: [{ type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] }, { type: 'null' }] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
  },
  required: ['city', 'unit'],
})
const add = tool('add.numbers', {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
})

const matches = (regex: string | undefined, text: string) => new RegExp(`^(?:${regex})$`).test(text)
const call = (name: string, args: unknown) => `{"name": ${JSON.stringify(name)}, "arguments": ${JSON.stringify(args)}}`

describe('the regular expression', () => {
  const { regex } = toGrammar([weather, add])

  it('matches every call that satisfies its schema', () => {
    const args = fc
      .record(
        {
          city: fc.string(),
          days: fc.nat(),
          unit: fc.constantFrom('c', 'f'),
          place: fc.oneof(
            fc.record({ lat: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }) }),
            fc.constant(null),
          ),
          tags: fc.array(fc.string(), { maxLength: 3 }),
        },
        { requiredKeys: ['city', 'unit'] },
      )
      // Sorts the keys into the order of the schema.
      .map(({ city, days, unit, place, tags }) => JSON.parse(JSON.stringify({ city, days, unit, place, tags })))
    const examples: [unknown][] = [[{ city: '', unit: 'c', place: { lat: 0.0000010000000000689002 } }]]
    fc.assert(
      fc.property(args, (value) => void expect(matches(regex, call('get_weather', value))).toBe(true)),
      { examples },
    )
  })

  it.each([
    ['to another tool', call('get_wether', { city: 'Oslo', unit: 'c' })],
    ['without a required argument', call('get_weather', { city: 'Oslo' })],
    ['with an argument of a wrong type', call('add.numbers', { a: 1, b: '2' })],
    ['with a value that is not in the enum', call('get_weather', { city: 'Oslo', unit: 'k' })],
    ['with an undeclared argument', call('add.numbers', { a: 1, b: 2, c: 3 })],
    ['with too many items', call('get_weather', { city: 'a', unit: 'c', tags: ['1', '2', '3', '4'] })],
    ['with a negative number that the schema excludes', call('get_weather', { city: 'a', days: -1, unit: 'c' })],
    ['that is truncated', call('add.numbers', { a: 1, b: 2 }).slice(0, -1)],
    ['with text around it', `Sure: ${call('add.numbers', { a: 1, b: 2 })}`],
    ['whose name has another character instead of a dot', call('add_numbers', { a: 1, b: 2 })],
  ])('matches no call %s', (_, text) => {
    expect(matches(regex, text)).toBe(false)
  })

  it('accepts the text that the dialect writes around a call, and the allowed number of calls', () => {
    const wrapped = toGrammar([add], {
      before: '<tool_call>\n',
      after: '\n</tool_call>',
      argumentsKey: 'parameters',
      maxCalls: 2,
    })
    const one = '<tool_call>\n{"name": "add.numbers", "parameters": {"a": 1, "b": 2}}\n</tool_call>'
    expect([one, `${one}\n${one}`, `${one}\n${one}\n${one}`, ''].map((text) => matches(wrapped.regex, text))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('accepts recursive values up to the given depth', () => {
    const any = tool('any', { type: 'object', properties: { value: {} }, required: ['value'] })
    const nested = call('any', { value: { a: [1] } })
    expect(matches(toGrammar([any], { regexDepth: 2 }).regex, nested)).toBe(false)
    expect(matches(toGrammar([any], { regexDepth: 4 }).regex, nested)).toBe(false)
    expect(matches(toGrammar([any], { regexDepth: 4 }).regex, call('any', { value: [1, 'a'] }))).toBe(true)
  })
})

describe('GBNF', () => {
  it('accepts the same calls as the regular expression', () => {
    const options = { before: '<tool_call>\n', after: '\n</tool_call>' }
    const { gbnf, regex } = toGrammar([weather, add], options)
    const own = toPattern(gbnf)
    const texts = [
      call('get_weather', { city: 'O"slo\n', unit: 'c', tags: ['a', 'b'] }),
      call('get_weather', { city: '', days: 3, unit: 'f', place: { lat: -1.5e-7 } }),
      call('add.numbers', { a: 0, b: 12 }),
      call('add.numbers', { a: 0 }),
      call('get_weather', { unit: 'c' }),
      call('get_weather', { city: 'a', unit: 'x' }),
    ].map((text) => `${options.before}${text}${options.after}`)
    expect(texts.map((text) => own.test(text))).toEqual([true, true, true, false, false, false])
    expect(texts.map((text) => matches(regex, text))).toEqual([true, true, true, false, false, false])
  })

  it.each<['c'[]]>([[[]], [['c']]])(
    'allows optional members to be omitted like the regular expression, if the required ones are %j',
    (required) => {
      const properties = { a: { type: 'null' }, b: { type: 'null' }, c: { type: 'null' }, d: { type: 'null' } }
      const { gbnf, regex } = toGrammar([tool('any', { type: 'object', properties, required })])
      const own = toPattern(gbnf)
      const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 5 })
      fc.assert(
        fc.property(keys, (names) => {
          const text = `{"name": "any", "arguments": {${names.map((name) => `"${name}": null`).join(', ')}}}`
          const isInOrder = names.every((name, index) => index === 0 || name > (names[index - 1] as string))
          const fits = isInOrder && required.every((name) => names.includes(name))
          expect([text, own.test(text), matches(regex, text)]).toEqual([text, fits, fits])
        }),
      )
    },
  )

  it('has a rule for each referenced schema, so that schemas may be recursive', () => {
    const tree = tool('grow', {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    })
    const lines = toGrammar([tree]).gbnf.split('\n')
    expect(lines[0]).toMatch(/^root ::= /)
    expect(lines.filter((line) => / ::= .*tool-0-ref-0/.test(line))).toHaveLength(2)
    expect(lines.filter((line) => line.startsWith('tool-0-ref-0 ::= '))).toHaveLength(1)
    for (const line of lines) expect(line).toMatch(/^[a-z0-9-]+ ::= \S/)
  })

  it('refers only to rules that exist', () => {
    const { gbnf } = toGrammar([weather, add], { before: '<a>\n"', after: '\\</a>' })
    const rules = gbnf.split('\n').map((line) => line.split(' ::= ') as [string, string])
    const names = new Set(rules.map(([name]) => name))
    const used = rules.flatMap(
      ([, body]) => body.replace(/"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]/g, ' ').match(/[a-z][a-z0-9-]*/g) ?? [],
    )
    expect(used.filter((name) => !names.has(name))).toEqual([])
  })
})

describe('the JSON Schema', () => {
  it('accepts exactly the valid calls', async () => {
    const { jsonSchema } = toGrammar([weather, add])
    const fits = async (value: unknown) => (await validate(jsonSchema, value)).length === 0
    expect(await fits({ name: 'get_weather', arguments: { city: 'Oslo', unit: 'c' } })).toBe(true)
    expect(await fits({ name: 'add.numbers', arguments: { city: 'Oslo', unit: 'c' } })).toBe(false)
    expect(await fits({ name: 'other', arguments: {} })).toBe(false)
  })

  it('refers to the same schemas as before', async () => {
    const self = tool('grow', {
      type: 'object',
      properties: { node: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { size: { type: 'integer' }, next: { $ref: '#/$defs/node' } } } },
    })
    for (const tools of [[self], [add, self]]) {
      const { jsonSchema } = toGrammar(tools)
      const issuesOf = (size: unknown) => validate(jsonSchema, { name: 'grow', arguments: { node: { next: { size } } } })
      expect(await issuesOf(1)).toEqual([])
      expect(await issuesOf('x')).not.toEqual([])
    }
  })
})

describe('toGrammar', () => {
  it("reports constraints that the grammar can't express as losses", () => {
    const parameters = { type: 'object', properties: { mail: { type: 'string', format: 'email', pattern: '@' } } }
    expect(toGrammar([tool('send', parameters)]).losses).toEqual([
      { tool: 'send', path: '/properties/mail', keyword: 'format' },
      { tool: 'send', path: '/properties/mail', keyword: 'pattern' },
    ])
  })

  it("throws for an empty list of tools, a reference that doesn't resolve, and invalid options", () => {
    expect(() => toGrammar([])).toThrow('there are no tools')
    expect(() => toGrammar([tool('a', { properties: { b: { $ref: '#/$defs/c' } } })])).toThrow(
      '"a", /properties/b refers to "#/$defs/c"',
    )
    expect(() => toGrammar([add], { maxCalls: 0 })).toThrow('maxCalls')
    expect(() => toGrammar([add], { regexDepth: 9 })).toThrow('regexDepth')
  })
})

/** Converts GBNF without recursive rules to a regular expression. */
function toPattern(gbnf: string): RegExp {
  const rules = new Map(gbnf.split('\n').map((line) => line.split(' ::= ') as [string, string]))
  const write = (body: string): string =>
    body.replace(/"((?:[^"\\]|\\.)*)"|(\[(?:[^\]\\]|\\.)*\])|([a-z][a-z0-9-]*)| /g, (_, quoted, set, name) => {
      if (quoted !== undefined) return `(?:${JSON.parse(`"${quoted}"`).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`
      return set ?? (name === undefined ? '' : `(?:${write(rules.get(name) as string)})`)
    })
  return new RegExp(`^(?:${write(rules.get('root') as string)})$`)
}
