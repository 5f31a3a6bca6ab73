import { describe, expect, it } from 'vitest'
import { hasAllDeclared } from './declared-types.ts'

describe('a call whose end is missing', () => {
  const has = (schema: unknown, ...keys: string[]) => hasAllDeclared(schema, new Set(keys))

  it('has all only where each declared property was written, wherever it is declared', () => {
    const schema = { properties: { a: {} }, allOf: [{ $ref: '#/$defs/more' }], $defs: { more: { properties: { b: {} } } } }
    expect([has(schema, 'a', 'b'), has(schema, 'a')]).toEqual([true, false])
  })

  it('may lack something where nobody said what there is', () => {
    for (const schema of [undefined, {}, { properties: {} }]) expect(has(schema, 'a')).toBe(false)
  })
})
