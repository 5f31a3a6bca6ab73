import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { cardOf } from './card.ts'
import { createToolIndex } from './tool-index.ts'

describe('the card of a tool', () => {
  it("has the tool's name, texts and arguments", () => {
    const tool = defineTool({
      name: 'get_weather',
      description: 'Tells the weather.',
      category: 'nature',
      tags: ['forecast'],
      args: Type.Object({
        city: Type.String({ description: 'Where.' }),
        unit: Type.Optional(Type.Union([Type.Literal('celsius'), Type.Literal('kelvin')])),
        days: Type.Array(Type.Object({ day: Type.Enum(['monday', 'sunday']) }), { description: 'Which days.' }),
      }),
      execute: () => '',
    })
    expect(cardOf(tool)).toEqual({
      name: 'get_weather',
      description: 'Tells the weather.',
      category: 'nature',
      tags: ['forecast'],
      arguments: [
        { name: 'city', description: 'Where.' },
        { name: 'unit', values: ['celsius', 'kelvin'] },
        { name: 'days', description: 'Which days.' },
        { name: 'day', values: ['monday', 'sunday'] },
      ],
    })
  })

  const source = { name: 'probe', description: 'Probe.' }
  const argumentsOf = (args: object) =>
    cardOf({ ...source, args }).arguments?.map((argument) => (argument as { name: string }).name)

  it('leaves out what the tool does not have', () =>
    expect(cardOf({ ...source, args: {} })).toEqual({ ...source, arguments: [] }))

  it('reads a schema at both places if it is used twice', () => {
    const place = { type: 'string', description: 'A place.' }
    const card = cardOf({ ...source, args: { properties: { from: place, to: place } } })
    expect(card.arguments).toEqual([
      { name: 'from', description: 'A place.' },
      { name: 'to', description: 'A place.' },
    ])
  })

  it('stops at a circular schema', () => {
    const args: Record<string, unknown> = { description: 'A node.' }
    args.properties = { value: { enum: [1, true, null, {}] }, next: args }
    expect(argumentsOf(args)).toEqual(['value', 'next'])
  })

  it('stops at a schema that is too deep, too wide, or has too many paths', () => {
    let deep: object = { properties: { bottom: {} } }
    for (let level = 0; level < 10_000; level++) deep = { properties: { [`level${level}`]: deep } }
    expect(argumentsOf(deep)?.length).toBeLessThan(20)
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`argument${index}`, {}]))
    expect(argumentsOf({ properties: wide })).toHaveLength(256)
    let shared: object = { description: 'Shared.' }
    for (let level = 0; level < 50; level++) shared = { anyOf: Array(50).fill(shared) }
    expect(argumentsOf({ properties: { value: shared } })).toEqual(['value'])
  })

  it('ignores members of an unexpected type', () => {
    expect(argumentsOf({ properties: { a: null, b: { enum: 'x', description: 7, items: [3], properties: [1] } } })).toEqual([
      'a',
      'b',
    ])
  })

  it('is not confused by names of inherited properties', () => {
    const args = JSON.parse('{"properties":{"__proto__":{"description":"Own."},"constructor":{"enum":["x"]}}}') as object
    expect(cardOf({ ...source, args }).arguments).toEqual([
      { name: '__proto__', description: 'Own.' },
      { name: 'constructor', values: ['x'] },
    ])
  })
})

describe('a card with a schema', () => {
  const args = { type: 'object', properties: { city: { type: 'string', description: 'Name of a town.' } } }

  it('is found by the arguments in the schema', () => {
    const index = createToolIndex([{ name: 'a', args }, { name: 'b' }])
    expect(index.search('town').map(({ name }) => name)).toEqual(['a'])
  })

  it('is found by its list of arguments if it has one', () => {
    expect(createToolIndex([{ name: 'a', args, arguments: ['amount'] }]).search('town')).toEqual([])
  })

  it.each([{ args: 1 }, { output: [] }, { effect: 'harmless' }])('is refused with %j', (wrong) => {
    expect(() => createToolIndex([{ name: 'a', ...(wrong as object) }])).toThrow(/Invalid card for tool "a"/)
  })
})
