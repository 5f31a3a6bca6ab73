import type { ToolSpec } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { toGrammar } from './to-grammar.ts'

function grammarOf(parameters: Readonly<Record<string, unknown>>) {
  const tool: ToolSpec = { type: 'function', function: { name: 'f', description: '', parameters } }
  return toGrammar([tool])
}

/** Returns the rules that can lead back to themselves before anything is written. */
function leftRecursive(gbnf: string): readonly string[] {
  const lines = gbnf.split('\n').map((line) => line.split(' ::= ') as [string, string])
  const led = new Map(lines.map(([name, rule]) => [name, rule.split(' | ').filter((option) => /^[a-z][\w-]*$/.test(option))]))
  const leadsTo = (name: string, to: string, seen: Set<string>): boolean =>
    (led.get(name) ?? []).some((next) => next === to || (!seen.has(next) && leadsTo(next, to, seen.add(next))))
  return [...led.keys()].filter((name) => leadsTo(name, name, new Set()))
}

function takes(parameters: Readonly<Record<string, unknown>>, args: string): boolean {
  const { gbnf, regex } = grammarOf(parameters)
  expect(leftRecursive(gbnf)).toEqual([])
  return new RegExp(`^(?:${regex})$`).test(`{"name": "f", "arguments": ${args}}`)
}

const toA = { $ref: '#/$defs/a' }
const toB = { $ref: '#/$defs/b' }

describe('a schema that refers only to itself', () => {
  it.each([
    ['the root', { $ref: '#' }],
    ['a definition', { ...toA, $defs: { a: toA } }],
    ['two definitions', { ...toA, $defs: { a: toB, b: toA } }],
    ['a definition that refers to the root', { ...toA, $defs: { a: { $ref: '#' } } }],
    ['options', { ...toA, $defs: { a: { anyOf: [toA, toB] }, b: { oneOf: [toB, toA] } } }],
  ])('accepts any object as arguments: %s', (_, schema) => {
    expect(takes(schema, '{"x": 1, "y": "z"}')).toBe(true)
    expect(takes(schema, '[]')).toBe(false)
  })

  it('accepts any value inside other schemas, and leaves those unchanged', () => {
    const schema = { type: 'object', properties: { x: toA, y: { type: 'integer' } }, $defs: { a: toA } }
    for (const x of ['[]', '{}', '"x"', 'null']) expect(takes(schema, `{"x": ${x}, "y": 1}`)).toBe(true)
    expect(takes(schema, '{"x": 1, "y": "1"}')).toBe(false)
  })
})

describe('a schema that is itself or another one', () => {
  it('is the other one', () => {
    const $defs = { a: { anyOf: [toB, { type: 'integer' }] }, b: { anyOf: [{ type: 'boolean' }, toA] } }
    for (const x of [toA, toB]) {
      const schema = { type: 'object', properties: { x }, $defs }
      for (const args of ['{"x": 1}', '{"x": true}']) expect(takes(schema, args)).toBe(true)
      expect(takes(schema, '{"x": "1"}')).toBe(false)
    }
  })

  it('may be recursive', () => {
    const schema = { type: 'object', properties: { x: toA }, $defs: { a: { anyOf: [toA, { type: 'array', items: toA }] } } }
    expect(takes(schema, '{"x": []}')).toBe(true)
    expect(takes(schema, '{"x": 1}')).toBe(false)
  })

  it('stays small in a large cycle', () => {
    const name = (index: number) => `#/$defs/${index % 2_000}`
    const $defs = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [index, { anyOf: [{ $ref: name(index + 1) }, { const: index }] }]),
    )
    expect(grammarOf({ type: 'object', properties: { x: { $ref: name(0) } }, $defs }).gbnf.length).toBeLessThan(200_000)
  })
})
