import { describe, expect, it } from 'vitest'
import { needsCounting, StepCounter, TooManySteps } from './steps.ts'
import { subschemasOf } from './subschemas.ts'

const counts = (schema: object) => needsCounting(subschemasOf(schema).map(({ node }) => node))
const objectOf = (names: number) => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: names }, (_, place) => [`p${place}`, { type: 'string' }])),
})
const large = objectOf(100)

describe('the steps of a check', () => {
  it.each([1, 5, 19, 100])('end when those of the value are used up, however few are taken at once: %d', (few) => {
    const counter = new StepCounter()
    counter.start(['a', 'b'], 1_000)
    let steps = 0
    const run = () => {
      for (; steps < 10_000; steps += few) counter.take(few)
    }
    expect(run).toThrow(TooManySteps)
    expect(steps).toBeGreaterThanOrEqual(1_000)
    expect(steps).toBeLessThan(1_200)
  })

  it('are not counted if each large part of a schema applies to one value', () => {
    const { properties } = large
    const lists = { list: { type: 'array', items: objectOf(5) }, map: { additionalProperties: { type: 'string' } } }
    const choice = { anyOf: [large, { allOf: [large], if: large, not: { properties: { inner: large } } }] }
    expect(counts({ ...large, properties: { ...properties, ...lists, choice } })).toBe(false)
  })

  it.each([
    ...['items', 'additionalItems', 'unevaluatedItems', 'contains'],
    ...['additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ])('are counted if a large schema applies to many values: %s', (keyword) => {
    expect(counts({ [keyword]: large })).toBe(true)
    expect(counts({ properties: { a: large, b: { [keyword]: { properties: { c: { not: large } } } } } })).toBe(true)
  })

  it('are counted if many small parts apply to many values', () => {
    const patternProperties = Object.fromEntries(Array.from({ length: 30 }, (_, place) => [`p${place}`, { type: 'string' }]))
    expect(counts({ patternProperties })).toBe(true)
  })

  it('are found by reading each part of a deep schema only a few times', () => {
    let looked = 0
    let schema: object = { type: 'string' }
    for (let level = 0; level < 500; level++) {
      const items = schema
      schema = {
        get items() {
          looked++
          return items
        },
      }
    }
    const nodes = subschemasOf(schema).map(({ node }) => node)
    looked = 0
    expect(needsCounting(nodes)).toBe(true)
    expect(looked).toBeLessThan(5_000)
  })

  it('are counted if a large schema refers to itself', () => {
    for (const keyword of ['$ref', '$recursiveRef', '$dynamicRef']) {
      expect(counts({ ...large, anyOf: [{ [keyword]: '#' }] })).toBe(true)
      expect(counts({ type: 'array', contains: { [keyword]: '#' } })).toBe(false)
    }
  })
})
