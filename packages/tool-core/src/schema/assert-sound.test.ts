import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineAction, defineTool } from '../../test/tools.ts'

const parts = { name: 'probe', description: 'Probes.', args: Type.Object({}), execute: () => ({}) }
const refers = (to: string) => ({ type: 'object', properties: { city: { $ref: to } } })

describe('a tool with a reference that does not resolve', () => {
  it('is refused at its definition, with the reference and the fix', () => {
    expect(() => defineTool({ ...parts, args: refers('#/$defs/city') })).toThrow(
      'defineTool("probe"): args refers to "#/$defs/city" at /properties/city/$ref. The schema contains nothing there: add it to $defs, and refer to it as "#/$defs/name".',
    )
    expect(() => defineTool({ ...parts, args: refers('https://example.org/city.json') })).toThrow(
      'defineTool("probe"): args refers to "https://example.org/city.json" at /properties/city/$ref. Documents are never fetched: copy the schema into $defs, keep its $id, or refer to it as "#/$defs/name".',
    )
  })

  it('is refused in its output and its context', () => {
    expect(() => defineAction({ ...parts, output: refers('#city') })).toThrow('output refers to "#city"')
    expect(() => defineTool({ ...parts, context: refers('#city') })).toThrow('context refers to "#city"')
  })

  it('is refused in a schema with many parts', () => {
    const properties = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`p${index}`, { type: 'string' }]))
    expect(() =>
      defineTool({ ...parts, args: { type: 'object', properties: { ...properties, city: { $ref: '#city' } } } }),
    ).toThrow('refers to "#city"')
  })
})

it('a tool may refer to its own root, to definitions and to cyclic types', () => {
  const tree = Type.Cyclic({ Tree: Type.Object({ next: Type.Optional(Type.Ref('Tree')) }) }, 'Tree')
  expect(() => defineTool({ ...parts, args: Type.Object({ a: tree, b: tree }) })).not.toThrow()
  expect(() => defineTool({ ...parts, args: { ...refers('#/$defs/city'), $defs: { city: { type: 'string' } } } })).not.toThrow()
  expect(() => defineTool({ ...parts, args: refers('#') })).not.toThrow()
})
