import { describe, expect, it } from 'vitest'
import { withPointers } from './with-pointers.ts'

describe('a schema with pointers', () => {
  it.each<[string, object]>([
    ['nothing to refer to', { type: 'object', properties: { $ref: { type: 'string' } } }],
    ['pointers', { $id: 'https://example.org/a', $defs: { a: {} }, properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#' } } }],
    ['a name that nothing has', { properties: { a: { $ref: '#nowhere' } } }],
    [
      'a reference that depends on the way',
      { $defs: { a: { $id: 'a', $dynamicAnchor: 'n' } }, $dynamicAnchor: 'n', not: { $dynamicRef: '#n' } },
    ],
  ])('is returned unchanged if it has %s', (_, schema) => {
    expect(withPointers(schema)).toBe(schema)
  })

  it('is returned unchanged if it contains itself', () => {
    const schema: Record<string, unknown> = { $ref: '#a' }
    schema.not = schema
    expect(withPointers(schema)).toBe(schema)
  })

  it.each<[string, object, object]>([
    [
      'an anchor',
      { properties: { a: { $ref: '#day', description: 'A day.' } }, $defs: { 'a/b%': { $anchor: 'day', type: 'string' } } },
      { properties: { a: { $ref: '#/$defs/a~1b%25', description: 'A day.' } }, $defs: { 'a/b%': { type: 'string' } } },
    ],
    [
      'an id, relative to that of its root, and a pointer below it',
      {
        $id: 'https://example.org/root',
        properties: { a: { $ref: 'node' }, b: { $ref: 'node#/properties/next' } },
        $defs: { n: { $id: 'node', properties: { next: { $ref: '#' }, last: { $ref: '#/properties/next' } } } },
      },
      {
        $id: 'https://example.org/root',
        properties: { a: { $ref: '#/$defs/n' }, b: { $ref: '#/$defs/n/properties/next' } },
        $defs: { n: { properties: { next: { $ref: '#/$defs/n' }, last: { $ref: '#/$defs/n/properties/next' } } } },
      },
    ],
    [
      'a dynamic anchor that only one schema has',
      { $dynamicAnchor: 'node', properties: { next: { $dynamicRef: '#node' } } },
      { properties: { next: { $ref: '#' } } },
    ],
    [
      'two references side by side',
      { $defs: { a: { $anchor: 'a' }, b: { $anchor: 'b' } }, not: { $ref: '#a', $dynamicRef: '#b' } },
      { $defs: { a: {}, b: {} }, not: { $ref: '#/$defs/a', allOf: [{ $ref: '#/$defs/b' }] } },
    ],
    [
      'a schema that is true or false',
      { $defs: { a: { $id: 'a', not: true, else: false } }, $ref: 'a#/not' },
      { $defs: { a: { not: true, else: false } } },
    ],
  ])('has pointers in place of %s', (_, schema, expected) => {
    const before = structuredClone(schema)
    expect(withPointers(schema)).toEqual(expected)
    expect(schema).toEqual(before)
  })
})
