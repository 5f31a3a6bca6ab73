import { describe, expect, it } from 'vitest'
import { checkWith } from '../../../../test/schema/validators/check.ts'
import { isToolError } from '../../../errors.ts'
import { validate } from '../../validate.ts'
import { loadAjv } from '../ajv/ajv.ts'
import { loadInterpreter } from '../interpreter/interpreter.ts'
import { linkedSchemaOf } from './linked-schema.ts'
import { assertReferences } from './references.ts'

const number = { type: 'number' }
const OLD = 'http://json-schema.org/draft-07/schema#'

describe.each([
  ['AJV', loadAjv],
  ['the interpreting validator', loadInterpreter],
])('%s resolves a reference', (_, load) => {
  it.each<[string, object]>([
    ['to a definition', { $defs: { n: number }, $ref: '#/$defs/n' }],
    ['to a definition of draft 7', { definitions: { n: number }, $ref: '#/definitions/n' }],
    ['with escapes', { $defs: { 'a/b~c d%é"': number }, $ref: '#/$defs/a~1b~0c%20d%25%C3%A9%22' }],
    ['with characters that should be escaped', { $defs: { 'a b': number }, $ref: '#/$defs/a b' }],
    ['to a lone surrogate', { $defs: { '\ud800': number }, $ref: '#/$defs/\ud800' }],
    ['to an item', { $defs: { all: { allOf: [{}, number] } }, $ref: '#/$defs/all/allOf/1' }],
    ['to a property called $ref', { $defs: { of: { properties: { $ref: number } } }, $ref: '#/$defs/of/properties/$ref' }],
    ['to an anchor', { $defs: { any: { $anchor: 'n', ...number } }, $ref: '#n' }],
    ['to an anchor of draft 7', { definitions: { any: { $id: '#n', ...number } }, $ref: '#n' }],
    ['to a relative $id', { $id: 'https://example.org/a/b', $defs: { any: { $id: 'n', ...number } }, $ref: 'n' }],
    ['to a relative $id without a base', { $defs: { any: { $id: 'n', ...number } }, $ref: 'n' }],
    ['to its own absolute $id', { $id: 'https://example.org/a', $defs: { n: number }, $ref: 'https://example.org/a#/$defs/n' }],
    ['to a URN', { $defs: { any: { $id: 'urn:uuid:deadbeef', ...number } }, $ref: 'urn:uuid:deadbeef' }],
    [
      'to an anchor of another $id',
      {
        $defs: {
          a: { $id: 'a', $defs: { n: { $anchor: 'n', type: 'string' } } },
          b: { $id: 'b', $defs: { n: { $anchor: 'n', ...number } } },
        },
        $ref: 'b#n',
      },
    ],
    ['below a changed base', { $defs: { a: { $id: 'a/', allOf: [{ $ref: 'n' }] }, n: { $id: 'a/n', ...number } }, $ref: 'a/' }],
    ['into an unknown keyword', { units: { n: number }, $ref: '#/units/n' }],
    ['through an unknown keyword', { units: { n: { $ref: '#/units/m' }, m: number }, $ref: '#/units/n' }],
    ['through another', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/n' }, n: number }, $ref: '#/$defs/a' }],
  ])('%s', async (_name, schema) => {
    const check = await checkWith(load, schema)
    expect(check(5)).toEqual([])
    expect(check('x')).toMatchObject([{ message: 'must be number' }])
  })

  it('that has siblings, except in draft 7', async () => {
    const schema = { definitions: { n: number }, properties: { a: { $ref: '#/definitions/n', maximum: 5 } } }
    expect((await checkWith(load, schema))({ a: 6 })).toMatchObject([{ path: '/a', message: 'must be <= 5' }])
    expect((await checkWith(load, { $schema: OLD, ...schema }))({ a: 6 })).toEqual([])
    expect((await checkWith(load, { $schema: OLD, ...schema }))({ a: 'x' })).toMatchObject([{ message: 'must be number' }])
  })

  it('that looks like data', async () => {
    const data = { $ref: '#/nowhere', $id: 'n' }
    const check = await checkWith(load, {
      $defs: { n: { $id: 'n', ...number } },
      anyOf: [{ const: data }, { enum: [data, 1] }, { $ref: 'n' }],
    })
    expect(check(data)).toEqual([])
    expect(check(5)).toEqual([])
    expect(check('x')).not.toEqual([])
  })

  it('to a definition that is a boolean', async () => {
    const check = await checkWith(load, {
      $defs: { any: true, none: false },
      properties: { a: { $ref: '#/$defs/any' }, b: { $ref: '#/$defs/none' } },
    })
    expect(check({ a: 1 })).toEqual([])
    expect(check({ b: 1 })).toMatchObject([{ path: '/b', message: 'must not be there' }])
  })

  it('of the same definition in two documents', async () => {
    const tree = { $id: 'Tree', type: 'object', properties: { of: { $ref: 'Tree' } } }
    const copy = structuredClone(tree)
    const check = await checkWith(load, {
      properties: { a: { $defs: { tree }, $ref: 'Tree' }, b: { $defs: { copy }, $ref: 'Tree' } },
    })
    expect(check({ a: { of: {} }, b: { of: {} } })).toEqual([])
    expect(check({ b: { of: 5 } })).toMatchObject([{ path: '/b/of' }])
  })
})

it('resolves a chain of ten thousand references', () => {
  const $defs: Record<string, object> = { d10000: number }
  for (let index = 0; index < 10_000; index++) $defs[`d${index}`] = { $ref: `#/$defs/d${index + 1}` }
  expect(linkedSchemaOf({ $defs, $ref: '#/$defs/d0' }).targets.size).toBe(10_001)
})

describe('a dynamic reference', () => {
  const leaf = { $id: 'leaf', $dynamicAnchor: 'node', type: 'object', properties: { of: { $dynamicRef: '#node' } } }
  const open = { $id: 'open', $dynamicAnchor: 'node', $ref: 'leaf' }
  const closed = { $id: 'closed', $dynamicAnchor: 'node', $ref: 'leaf', unevaluatedProperties: false }

  it('points to the outermost anchor on its path', async () => {
    const $defs = { leaf, open, closed }
    const nested = { of: { x: 1 } }
    expect(await validate({ $defs, $ref: 'open' }, nested)).toEqual([])
    expect(await validate({ $defs, $ref: 'closed' }, nested)).toMatchObject([{ path: '/of' }])
    expect(await validate({ $defs, $ref: 'leaf' }, nested)).toEqual([])
  })

  it('points to the outermost recursive anchor of 2019-09', async () => {
    const $defs = {
      leaf: { $id: 'leaf', $recursiveAnchor: true, properties: { of: { $recursiveRef: '#' } } },
      closed: { $id: 'closed', $recursiveAnchor: true, $ref: 'leaf', unevaluatedProperties: false },
    }
    expect(await validate({ $defs, $ref: 'leaf' }, { of: { x: 1 } })).toEqual([])
    expect(await validate({ $defs, $ref: 'closed' }, { of: { x: 1 } })).toMatchObject([{ path: '/of' }])
  })

  it('checks a value again if another schema has the anchor', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: {
        list: { $id: 'list', $dynamicAnchor: 'item', type: 'array', items: { $dynamicRef: '#item' } },
        texts: { $id: 'texts', $dynamicAnchor: 'item', anyOf: [{ type: 'string' }, { $ref: 'list' }] },
      },
      $ref: 'texts',
    }
    expect(await validate(schema, ['a', ['b']])).toEqual([])
    expect(await validate(schema, ['a', [5]])).not.toEqual([])
  })

  it('checks each value once', async () => {
    const again = { $dynamicRef: '#node' }
    const node = {
      $dynamicAnchor: 'node',
      type: ['object', 'integer'],
      properties: { of: again },
      allOf: [{ properties: { of: again } }],
    }
    const $defs = { a: { $id: 'a', ...node }, b: { $id: 'b', ...node } }
    let value: unknown = 1
    for (let level = 0; level < 40; level++) value = { of: value }
    expect(await validate({ $defs, $ref: 'a' }, value)).toEqual([])
  })
})

describe('a reference without a target', () => {
  it.each<[object, string]>([
    [{ $ref: '#/$defs/n' }, 'args refers to "#/$defs/n" at /$ref. The schema has no such target'],
    [{ properties: { a: { $ref: '#n' } } }, 'args refers to "#n" at /properties/a/$ref. The schema has no such target'],
    [{ items: { $ref: '#/type' }, type: 'array' }, 'args refers to "#/type" at /items/$ref'],
    [{ $defs: { n: 5 }, $ref: '#/$defs/n' }, 'args refers to "#/$defs/n"'],
    [{ $ref: '#/constructor' }, 'The schema has no such target'],
    [{ $ref: '#/%E0%A4%A' }, 'The schema has no such target'],
    [{ $ref: 'https://example.org/n' }, 'args refers to "https://example.org/n" at /$ref. Documents are never fetched'],
    [{ $ref: 'n.json' }, 'Documents are never fetched'],
    [{ $ref: 'http://[' }, 'Documents are never fetched'],
    [{ $dynamicRef: '#n' }, 'args refers to "#n" at /$dynamicRef'],
    [{ $ref: 5 }, 'args has the value 5 for $ref'],
    [
      { $defs: { a: { $id: 'n', type: 'string' }, b: { $id: 'n' } }, $ref: 'n' },
      'args contains another schema with the $id "n" at /$defs/b/$id',
    ],
  ])('is refused: %j', (schema, message) => {
    expect(() => assertReferences(schema, 'args')).toThrow(message)
    try {
      assertReferences(schema, 'args')
    } catch (error) {
      expect(isToolError(error) && error.code).toBe('invalid_definition')
    }
  })

  it.each<[string, object]>([
    ['in a constant', { const: { $ref: '#/nowhere' } }],
    ['in an extension', { 'x-more': { $ref: '#/nowhere' } }],
    ['in an unknown keyword', { ui: { $ref: '#/nowhere' } }],
    ['as the name of a property', { properties: { $ref: { type: 'string' } } }],
    [
      'beside a reference of draft 7',
      { $schema: OLD, definitions: { n: number }, $ref: '#/definitions/n', items: { $ref: '#/nowhere' } },
    ],
  ])('is accepted %s', (_, schema) => {
    expect(() => assertReferences(schema, 'args')).not.toThrow()
  })
})

describe('a schema behind a reference', () => {
  it('T2-17: hides a value that the schema marks as secret', async () => {
    const schema = {
      properties: { a: { $ref: '#key' }, b: { $ref: 'key' } },
      $defs: { one: { $anchor: 'key', writeOnly: true, type: 'number' }, two: { $id: 'key', writeOnly: true, type: 'number' } },
    }
    expect(await validate(schema, { a: 'hunter2', b: 'hunter2' })).toMatchObject([{ got: '[redacted]' }, { got: '[redacted]' }])
  })

  it('suggests the names that the schema declares', async () => {
    const schema = { $ref: '#box', $defs: { one: { $anchor: 'box', properties: { city: {} }, additionalProperties: false } } }
    expect(await validate(schema, { citi: 1 })).toMatchObject([
      { message: 'must NOT have additional properties: "citi" (did you mean "city"?)' },
    ])
  })
})
