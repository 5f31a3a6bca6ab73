import { expect, it } from 'vitest'
import { SchemaPlaces } from './places.ts'

const tree = {
  $ref: '#/$defs/node',
  $defs: { node: { properties: { of: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } } } },
}

it('a recursive schema has few places, however long the path is', () => {
  const places = new SchemaPlaces(tree, 100)
  const way = places.onTheWay(Array.from({ length: 10_000 }, () => 'of'))
  expect(way).toHaveLength(10_001)
  expect(new Set(way).size).toBe(2)
  expect(way.at(-1)?.isPartial).toBe(false)
})

it('a place beyond the visits is partial, and so are all places below it', () => {
  const places = new SchemaPlaces({ additionalProperties: { additionalProperties: { type: 'string' } } }, 10)
  for (let key = 0; key < 10; key++) expect(places.at(places.root, String(key)).isPartial).toBe(false)
  const beyond = places.at(places.at(places.root, 'x'), 'y')
  expect(beyond).toEqual({ schemas: [], isPartial: true })
  expect(places.at(beyond, 'z').isPartial).toBe(true)
})

it('a place with too many parts is partial, and so are the places below it', () => {
  const branches = (count: number) => Array.from({ length: count }, () => ({ properties: { a: { type: 'string' } } }))
  const few = new SchemaPlaces({ anyOf: branches(100) }, 1_000)
  expect(few.at(few.root, 'a').isPartial).toBe(false)
  const many = new SchemaPlaces({ anyOf: branches(1_000) }, 1_000)
  expect(many.root.isPartial).toBe(true)
  expect(many.at(many.root, 'a').isPartial).toBe(true)
})
