import { describe, expect, it } from 'vitest'
import { hasAllDeclared } from './declared-types.ts'

describe('a call without an end marker', () => {
  const has = (schema: unknown, ...keys: string[]) => hasAllDeclared(schema, new Set(keys))

  it('is complete only if each declared property was written, wherever it is declared', () => {
    const schema = { properties: { a: {} }, allOf: [{ $ref: '#/$defs/more' }], $defs: { more: { properties: { b: {} } } } }
    expect([has(schema, 'a', 'b'), has(schema, 'a')]).toEqual([true, false])
  })

  it('may be incomplete if its parameters are unknown', () => {
    for (const schema of [undefined, {}, { properties: {} }]) expect(has(schema, 'a')).toBe(false)
  })
})
