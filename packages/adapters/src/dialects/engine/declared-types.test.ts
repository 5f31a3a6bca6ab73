import { describe, expect, it } from 'vitest'
import { glm45 } from '../glm45.ts'
import { minimaxM3 } from '../minimax-m3.ts'
import { morphXml } from '../morph-xml.ts'
import { qwen3Coder } from '../qwen3-coder.ts'
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

it.each([glm45, minimaxM3, morphXml, qwen3Coder])('$name: the first declaration of a parameter decides', (dialect) => {
  const toPart = (type: unknown) => ({ properties: { value: { type } } })
  const parts = [toPart('string'), toPart(['string', 'integer'])]
  for (const parameters of [{ allOf: parts }, { ...toPart('string'), anyOf: parts }, { anyOf: parts }]) {
    const tools = [{ type: 'function' as const, function: { name: 'f', description: '', parameters } }]
    const call = dialect.formatCall({ id: '', name: 'f', arguments: '{"value": "1"}' })
    expect(dialect.parse(call.ok ? call.text : '', { tools }).toolCalls).toMatchObject([{ arguments: '{"value": "1"}' }])
  }
})
