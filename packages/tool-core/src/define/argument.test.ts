import { type TProperties, type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineTool, type Loose } from '../../test/tools.ts'

// TypeBox's inference for a record would take longer to check than the rest of this file.
const builders: Loose = Type

function argumentsOf(properties: TProperties) {
  return defineTool({ name: 'probe', description: 'Probe.', args: Type.Object(properties), execute: () => null }).arguments
}

describe('tool arguments', () => {
  it('T0-25, T3-1: lists an integer with a default as optional, with its default and description', () => {
    expect(argumentsOf({ hint_total: Type.Integer({ default: 0, minimum: 0, description: 'Hints given' }) })).toEqual([
      { name: 'hint_total', type: 'integer', description: 'Hints given', required: false, default: 0 },
    ])
  })

  it("T3-2: lists the arguments in the schema's order, and those without a default as required", () => {
    const list = argumentsOf({ text: Type.String(), at: Type.String(), note: Type.Optional(Type.String()) })
    expect(list.map(({ name, required }) => [name, required])).toEqual([
      ['text', true],
      ['at', true],
      ['note', false],
    ])
  })

  it('T3-3: lists an empty string as a default', () => {
    expect(argumentsOf({ city: Type.String({ default: '' }) })).toEqual([
      { name: 'city', type: 'string', description: '', required: false, default: '' },
    ])
  })

  it('T0-25, T3-13: lists an empty description if the schema has none', () => {
    expect(argumentsOf({ city: Type.String() })[0]?.description).toBe('')
  })

  it.each<[string, TSchema]>([
    ['string', Type.String()],
    ['number | null', Type.Union([Type.Number(), Type.Null()])],
    ['"a" | "b"', Type.Enum(['a', 'b'])],
    ['"a" | 1', Type.Union([Type.Literal('a'), Type.Literal(1)])],
    ['string[]', Type.Array(Type.String())],
    ['(string | null)[]', Type.Array(Type.Union([Type.String(), Type.Null()]))],
    ['number[][]', Type.Array(Type.Array(Type.Number()))],
    ['[string, number]', Type.Tuple([Type.String(), Type.Number()])],
    ['object', Type.Object({ a: Type.String() })],
    ['object', builders.Record(Type.String(), Type.Number())],
    ['any', Type.Any()],
    ['object', Type.Cyclic({ Node: Type.Object({ next: Type.Optional(Type.Ref('Node')) }) }, 'Node')],
    ['any[] | null', Type.Unsafe({ type: ['array', 'null'] })],
    ['"x"', Type.Unsafe({ enum: ['x'] })],
    ['any', Type.Unsafe({ anyOf: [{ $ref: '#/properties/probe' }] })],
  ])('T3-12: shows a type as text: %s', (type, schema) => {
    expect(argumentsOf({ probe: schema })[0]?.type).toBe(type)
  })

  it('T3-12: resolves a $ref into the schema', () => {
    const refs = { unit: Type.Unsafe({ $ref: '#/$defs/a~1b' }), size: Type.Unsafe({ $ref: '#/$defs/sizes/anyOf/0' }) }
    const $defs = { 'a/b': { enum: ['c', 'f'] }, sizes: { anyOf: [{ type: 'number' }, { type: 'string' }] } }
    const tool = defineTool({ name: 'probe', description: 'Probe.', args: { ...Type.Object(refs), $defs }, execute: () => null })
    expect(tool.arguments.map(({ type }) => type)).toEqual(['"c" | "f"', 'number'])
  })

  const more = {
    tags: Type.Optional(Type.Array(Type.String())),
    unit: Type.Optional(Type.Union([Type.Literal('c'), Type.Literal('f'), Type.Null()])),
  }
  const listed = (list: readonly Loose[], options: { additionalProperties?: boolean } = {}) =>
    defineTool({
      name: 'probe',
      description: 'Probe.',
      args: Type.Object({ city: Type.String(), days: Type.Integer({ default: 1, description: 'How many' }), ...more }, options),
      arguments: list.map((argument) => ({
        description: argument.name === 'days' ? 'Days' : '',
        type: 'string',
        required: true,
        ...argument,
      })),
      execute: () => null,
    })

  it('accepts a handwritten list', () => {
    const list = listed([{ name: 'city', type: 'city name' }]).arguments
    expect(list).toEqual([{ name: 'city', type: 'city name', description: '', required: true }])
    expect(listed([{ name: 'city' }, { name: 'note' }], { additionalProperties: true }).arguments).toHaveLength(2)
  })

  it('counts an argument in a handwritten list as required, unless it has a default or is marked as optional', () => {
    const args = Type.Object({ city: Type.String(), days: Type.Integer({ default: 1 }) })
    const list = [
      { name: 'city', type: 'string', description: 'City' },
      { name: 'days', type: 'integer', description: 'Days', default: 1 },
    ]
    const tool = defineTool({ name: 'probe', description: 'Probe.', args, arguments: list, execute: () => null })
    expect(tool.arguments).toEqual([
      { ...list[0], required: true },
      { ...list[1], required: false },
    ])
    const wrong = () =>
      defineTool({
        name: 'probe',
        description: 'Probe.',
        args,
        arguments: [list[0], { ...list[1], default: undefined }],
        execute: () => null,
      })
    expect(wrong).toThrow('"days" is optional in args')
  })

  it('accepts a default whose keys are in another order', () => {
    const place = Type.Object({ x: Type.Number(), y: Type.Number() }, { default: { x: 1, y: 2 } })
    const list = [{ name: 'at', type: 'object', description: '', required: false, default: { y: 2, x: 1 } }]
    const args = Type.Object({ at: place })
    expect(defineTool({ name: 'probe', description: 'Probe.', args, arguments: list, execute: () => null }).arguments).toEqual(
      list,
    )
  })

  it.each<[string, readonly Loose[], string]>([
    [
      'an argument that is not declared',
      [{ name: 'city' }, { name: 'town' }],
      '"town" is not declared by args, which declares city, days, tags, unit',
    ],
    ['one twice', [{ name: 'city' }, { name: 'city' }], '"city" is listed twice'],
    ['a required one as optional', [{ name: 'city', required: false }], '"city" is required in args'],
    ['an optional one as required', [{ name: 'city' }, { name: 'days', type: 'integer' }], '"days" is optional in args'],
    ['another type', [{ name: 'city', type: 'integer' }], '"city" has type string in args'],
    ['no required one', [], '"city" is missing from the list'],
    [
      'another default',
      [{ name: 'city' }, { name: 'days', type: 'integer', required: false, default: 2 }],
      '"days" has the default 1 in args',
    ],
    ['a default that the schema lacks', [{ name: 'city', default: 'Oslo' }], '"city" has no default in args'],
    ['one item of a list', [{ name: 'city' }, { name: 'tags', required: false }], '"tags" has type string[] in args'],
    [
      'a type that a union lacks',
      [{ name: 'city' }, { name: 'unit', type: 'number', required: false }],
      '"unit" has type "c" | "f" | null in args',
    ],
    [
      'no description',
      [{ name: 'city' }, { name: 'days', type: 'integer', required: false, description: '' }],
      '"days" has a description in args, but not in the list',
    ],
  ])('refuses a list that declares %s', (_, list, words) => {
    expect(() => listed(list)).toThrow(
      `defineTool("probe"): arguments and args disagree: ${words}. Correct the list, or omit it to derive it from args.`,
    )
  })

  it('refuses an undeclared argument whose name is not valid', () => {
    const declare = () => listed([{ name: 'city' }, { name: 'a note' }], { additionalProperties: true })
    expect(declare).toThrow('arguments and args disagree: "a note" is not a valid argument name. Use letters, digits and "_".')
  })

  const text = Type.Unsafe({ $ref: '#/$defs/text' })
  const mixed = Type.Union([Type.String(), Type.Array(Type.Integer())])
  const defining = (schema: TSchema, type: string) => {
    const args = { ...Type.Object({ it: schema }), $defs: { text: { type: 'string' } } }
    const list = [{ name: 'it', type, description: '', required: true }]
    return () => defineTool({ name: 'probe', description: 'Probe.', args, arguments: list, execute: () => null })
  }

  it.each<[string, TSchema, string]>([
    ['integer', text, 'string'],
    ['integer', Type.Literal('x'), '"x"'],
    ['string', Type.Literal(5), '5'],
    ['integer', Type.Enum(['x', 'y']), '"x" | "y"'],
    ['integer[]', Type.Array(Type.String()), 'string[]'],
    ['string[]', Type.Array(Type.Array(Type.String())), 'string[][]'],
    ['integer[]', Type.String(), 'string'],
    ['boolean', mixed, 'string | integer[]'],
  ])('refuses a list that declares %s, which the schema never allows', (type, schema, own) => {
    expect(defining(schema, type)).toThrow(`arguments and args disagree: "it" has type ${own} in args.`)
  })

  it.each<[string, TSchema]>([
    ['string', text],
    ['string', Type.Enum(['x | y', 'z'])],
    ['number', Type.Literal(5)],
    ['integer', Type.Literal(5)],
    ['array', Type.Array(Type.String())],
    ['string[]', Type.Array(text)],
    ['string[]', Type.Array(Type.Union([Type.String(), Type.Null()]))],
    ['array', mixed],
    ['integer[]', mixed],
    ['any[]', Type.Array(Type.Integer())],
    ['date', Type.String()],
    ['integer', Type.Unknown()],
  ])('accepts a list that declares %s, which the schema allows', (type, schema) => {
    expect(defining(schema, type)).not.toThrow()
  })

  it('lists nothing for a tool without arguments', () => {
    expect(argumentsOf({})).toEqual([])
  })
})
