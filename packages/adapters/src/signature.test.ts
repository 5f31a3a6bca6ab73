import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineSignature, fieldKind, ToolCalls, Tools } from './signature.ts'

describe('defineSignature', () => {
  it('gives back the fields as they were written', () => {
    const inputs = { question: Type.String() }
    const outputs = { answer: Type.String() }
    const signature = defineSignature({ instructions: 'Answer.', inputs, outputs })
    expect(signature).toEqual({ instructions: 'Answer.', inputs, outputs })
  })

  it('refuses a signature without outputs', () => {
    expect(() => defineSignature({ instructions: '', inputs: {}, outputs: {} })).toThrow('outputs is empty')
  })
})

describe('fieldKind', () => {
  it('tells tools, tool calls and plain values apart', () => {
    expect(fieldKind(Tools())).toBe('tools')
    expect(fieldKind(ToolCalls())).toBe('tool_calls')
    expect(fieldKind(Type.String())).toBe('value')
  })

  it('takes anything that is no marked field for a value', () => {
    for (const field of [null, undefined, 5, 'tools', { 'x-field': 'other' }]) expect(fieldKind(field)).toBe('value')
  })

  it('survives a copy of the field as JSON', () => {
    expect(fieldKind(JSON.parse(JSON.stringify(Tools())))).toBe('tools')
  })
})
