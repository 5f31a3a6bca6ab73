import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineAction, defineTool } from '../../test/tools.ts'

const parts = { name: 'probe', description: 'Probes.', args: Type.Object({}), execute: () => ({}) }
const refers = (to: string) => ({ type: 'object', properties: { city: { $ref: to } } })

describe('a tool with a reference that does not resolve', () => {
  it('is refused at its definition, and the message has the reference and the fix', () => {
    expect(() => defineTool({ ...parts, args: refers('#/$defs/city') })).toThrow(
      'defineTool("probe"): args refers to "#/$defs/city" at /properties/city/$ref. The schema has no such target. Add it to $defs, and refer to it as "#/$defs/name".',
    )
    expect(() => defineTool({ ...parts, args: refers('https://example.org/city.json') })).toThrow(
      'defineTool("probe"): args refers to "https://example.org/city.json" at /properties/city/$ref. Documents are never fetched: copy the schema into $defs, and keep its $id or refer to it as "#/$defs/name".',
    )
  })

  it.each<[string, object, string, string]>([
    ['a definition', { $defs: { City: {} } }, '#/$defs/Citty', '"#/$defs/City"'],
    ['an anchor', { $defs: { c: { $anchor: 'city' } } }, '#cty', '"#city"'],
    ['an id', { $defs: { c: { $id: 'City' } } }, 'city', '"City"'],
  ])('is refused, and the message suggests the nearest name: %s', (_, definitions, to, name) => {
    expect(() => defineTool({ ...parts, args: { ...refers(to), ...definitions } })).toThrow(
      `refers to "${to}" at /properties/city/$ref. Did you mean ${name}?`,
    )
  })

  it('is refused, and the message suggests the nearest name of a cyclic type', () => {
    const tree = Type.Cyclic({ Tree: Type.Object({ next: Type.Optional(Type.Ref('Tre')) }) }, 'Tree')
    expect(() => defineTool({ ...parts, args: Type.Object({ a: tree }) })).toThrow('Did you mean "Tree"?')
  })

  it('is refused in the output and context schemas too', () => {
    expect(() => defineAction({ ...parts, output: refers('#city') })).toThrow('output refers to "#city"')
    expect(() => defineTool({ ...parts, context: refers('#city') })).toThrow('context refers to "#city"')
  })

  it('is refused even in a schema with many parts', () => {
    const properties = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`p${index}`, { type: 'string' }]))
    expect(() =>
      defineTool({ ...parts, args: { type: 'object', properties: { ...properties, city: { $ref: '#city' } } } }),
    ).toThrow('refers to "#city"')
  })
})

describe('a tool with a reference that only leads back to itself', () => {
  const city = { $ref: '#/$defs/a' }
  it.each<[string, object, object]>([
    ['directly', { $ref: '#/properties/city' }, {}],
    ['through definitions', city, { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }],
    ['dynamically', { $dynamicRef: '#c' }, { c: { $dynamicAnchor: 'c', $dynamicRef: '#c' } }],
    ['through allOf', { allOf: [{ type: 'string' }, { $ref: '#/properties/city' }] }, {}],
    ['through allOf in definitions', city, { a: { type: 'object', allOf: [{ allOf: [{ $ref: '#/$defs/b' }] }] }, b: city }],
    ['through allOf in a definition that nothing refers to', {}, { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: city }],
  ])('is refused at its definition: %s', (_, property, $defs) => {
    const args = { type: 'object', properties: { city: property }, $defs }
    expect(() => defineTool({ ...parts, args })).toThrow(
      /^defineTool\("probe"\): args has a reference that only leads back to itself at \/[^ ]+\. Write the intended schema in its place\.$/,
    )
  })

  it('is accepted if the path goes through a property', () => {
    const args = { type: 'object', properties: { next: { $ref: '#' }, other: { $ref: '#/properties/next' } } }
    expect(defineTool({ ...parts, args }).name).toBe('probe')
  })

  it('is accepted if two schemas in allOf refer to the same definition, which refers to itself through its items', () => {
    const $defs = {
      tree: { allOf: [{ $ref: '#/$defs/base' }, { $ref: '#/$defs/base' }] },
      base: { items: { $ref: '#/$defs/tree' } },
    }
    const city = { allOf: [{ $ref: '#/$defs/tree' }, { $ref: '#/$defs/base' }] }
    expect(defineTool({ ...parts, args: { type: 'object', properties: { city }, $defs } }).name).toBe('probe')
  })

  it('is accepted beside a reference in draft 7, where it has no effect', () => {
    const properties = { city: { $ref: '#/definitions/city', allOf: [{ $ref: '#/properties/city' }] } }
    const args = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties, definitions: { city: {} } }
    expect(defineTool({ ...parts, args }).name).toBe('probe')
  })
})

describe('a tool with something other than a schema in its schema', () => {
  it.each<[string, object, string]>([
    ['in a union', { anyOf: ['string'] }, 'string instead of a schema at /properties/city/anyOf/0'],
    ['in an intersection', { allOf: [null] }, 'null instead of a schema at /properties/city/allOf/0'],
    ['in a tuple', { prefixItems: [{}, 3] }, 'number instead of a schema at /properties/city/prefixItems/1'],
    ['in the items of draft 7', { items: [null] }, 'null instead of a schema at /properties/city/items/0'],
    ['for a pattern', { patternProperties: { a: null } }, 'null instead of a schema at /properties/city/patternProperties/a'],
    ['for a dependency', { dependentSchemas: { a: 'b' } }, 'string instead of a schema at /properties/city/dependentSchemas/a'],
  ])('is refused at its definition: %s', (_, city, words) => {
    expect(() => defineTool({ ...parts, args: { type: 'object', properties: { city } } })).toThrow(
      `defineTool("probe"): args contains a value of type ${words}. Write a schema, e.g. Type.String() or { type: "string" }.`,
    )
  })

  it.each<[string, object]>([
    ['a boolean', { anyOf: [true, false] }],
    ['a list of types', { type: ['string', 'null'] }],
    ['names in dependencies', { dependencies: { a: ['b'] } }],
    ['a list in an unknown keyword', { enumNames: ['a'] }],
  ])('is accepted: %s', (_, city) => {
    expect(defineTool({ ...parts, args: { type: 'object', properties: { city } } }).name).toBe('probe')
  })
})

describe('a tool with a keyword that no validator accepts', () => {
  it.each<[object, string]>([
    [
      { city: { type: 'string', required: true } },
      'args has the required true at /properties/city. List the names of required properties in the schema of the enclosing object, e.g. required: ["name"].',
    ],
    [
      { city: { dependentRequired: { city: 'country' } } },
      'args has the dependentRequired {"city":"country"} at /properties/city. Write a list of names for each property, e.g. { "city": ["country"] }.',
    ],
    [
      { city: { dependentRequired: { city: [3] } } },
      'args has the dependentRequired {"city":[3]} at /properties/city. Write a list of names for each property, e.g. { "city": ["country"] }.',
    ],
    [{ city: { multipleOf: 0 } }, 'args has the multipleOf 0 at /properties/city. It must be greater than 0.'],
    [{ city: { multipleOf: -5 } }, 'args has the multipleOf -5 at /properties/city. It must be greater than 0.'],
    [
      { city: { type: 'object', required: ['name', 3] } },
      'args has the required ["name",3] at /properties/city. List the names of properties, e.g. required: ["name"].',
    ],
    [{ city: { minLength: '1' } }, 'args has the minLength "1" at /properties/city. It must be of type number.'],
    [
      { city: { items: 'string' } },
      'args has the items "string" at /properties/city. It must be of type object or array or boolean.',
    ],
    [
      { city: Type.String({ pattern: /^[a-z]+$/ }) },
      'args has the pattern /^[a-z]+$/ at /properties/city. Write its source: "^[a-z]+$".',
    ],
    [{ city: { pattern: null } }, 'args has the pattern null at /properties/city. It must be of type string.'],
  ])('is refused at its definition: %j', (properties, words) => {
    expect(() => defineTool({ ...parts, args: { type: 'object', properties } })).toThrow(`defineTool("probe"): ${words}`)
  })

  it('is accepted if the value is missing', () => {
    expect(() =>
      defineTool({ ...parts, args: Type.Object({ city: Type.String({ minLength: undefined as never }) }) }),
    ).not.toThrow()
  })
})

describe('a tool with an unknown type', () => {
  const typed = (type: unknown) => ({ type: 'object', properties: { price: { type } } })

  it.each<[unknown, string]>([
    ['float', 'Write "number".'],
    ['dict', 'Write "object".'],
    ['int', 'Write "integer".'],
    ['STRING', 'Write "string".'],
    ['strng', 'Write "string".'],
    ['any', 'Omit the type, which allows any value.'],
    ['Money', 'Write one of string, number, integer, boolean, object, array, null, or omit the type, which allows any value.'],
    [null, 'Write "null".'],
    [[], 'Write one of string, number, integer, boolean, object, array, null, or omit the type, which allows any value.'],
  ])('%j is refused at its definition, with what to write', (type, fix) => {
    const message = `defineTool("probe"): args has the type ${JSON.stringify(type)} at /properties/price. ${fix}`
    expect(() => defineTool({ ...parts, args: typed(type) })).toThrow(message)
  })

  it('is refused in a list of types, in a definition, in an output and in a context', () => {
    expect(() => defineTool({ ...parts, args: typed(['string', 'None']) })).toThrow(
      'has the type ["string","None"] at /properties/price. Write "null".',
    )
    const $defs = { price: { type: 'float' } }
    expect(() => defineTool({ ...parts, args: { type: 'object', $defs } })).toThrow('at /$defs/price.')
    expect(() => defineAction({ ...parts, output: typed('float') })).toThrow('output has the type "float"')
    expect(() => defineTool({ ...parts, context: typed('float') })).toThrow('context has the type "float"')
  })

  it('is accepted where a type is data or a name, and below an unknown keyword', () => {
    const price = {
      type: 'object',
      properties: { type: { type: 'string' } },
      default: { type: 'float' },
      examples: [{ type: 'float' }],
    }
    const args = { type: 'object', properties: { price }, $defs: { type: {} }, discriminator: { type: 'float' } }
    expect(() => defineTool({ ...parts, args })).not.toThrow()
  })
})

it("accepts references to the schema's own root, to definitions and to cyclic types", () => {
  const tree = Type.Cyclic({ Tree: Type.Object({ next: Type.Optional(Type.Ref('Tree')) }) }, 'Tree')
  expect(() => defineTool({ ...parts, args: Type.Object({ a: tree, b: tree }) })).not.toThrow()
  expect(() => defineTool({ ...parts, args: { ...refers('#/$defs/city'), $defs: { city: { type: 'string' } } } })).not.toThrow()
  expect(() => defineTool({ ...parts, args: refers('#') })).not.toThrow()
})
