import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { nativeAdapter } from '../adapters/native.ts'
import { textAdapter } from '../adapters/text.ts'
import { hermes } from '../dialects/hermes.ts'
import { defineSignature } from '../signature/define-signature.ts'
import { ToolCalls, Tools } from '../signature/tool-fields.ts'
import type { LMResponse } from './protocol.ts'
import { toSoundResponse } from './sound-response.ts'

const plan = defineSignature({
  instructions: '',
  inputs: { tools: Tools() },
  outputs: { reasoning: Type.String(), tool_calls: ToolCalls() },
})
const parse = (response: object) => nativeAdapter.parse(plan, response as LMResponse)
const called = (toolCalls: unknown) => parse({ text: '', toolCalls }).outputs.tool_calls
const search = { id: 'call_0', name: 'search', args: { q: 'tea' } }

describe('toSoundResponse', () => {
  it('returns the same object if the response is valid', () => {
    const response = { text: '', toolCalls: [{ id: 'a', name: 'search', arguments: '{}', extra: 1 }] }
    expect(toSoundResponse(response)).toBe(response)
  })

  it('T4-7: treats text that is null or absent as empty', () => {
    const toolCalls = [{ id: 'a', name: 'search', arguments: '{}' }]
    for (const response of [{ text: null, toolCalls }, { toolCalls }]) {
      const { outputs, errors } = parse(response)
      expect([outputs, errors]).toEqual([{ reasoning: '', tool_calls: [{ id: 'a', name: 'search', args: {} }] }, []])
    }
    expect(parse({ text: 'Hi.', toolCalls: null }).outputs).toEqual({ reasoning: 'Hi.', tool_calls: [] })
  })

  it.each([
    ['one call', { name: 'search', arguments: '{"q":"tea"}' }],
    ['a list', [{ name: 'search', arguments: '{"q":"tea"}' }]],
    ['arguments as an object', [{ name: 'search', arguments: { q: 'tea' } }]],
    ['args', [{ name: 'search', args: { q: 'tea' } }]],
    ['a list of objects with a function', [{ type: 'function', function: { name: 'search', arguments: '{"q":"tea"}' } }]],
    ['a list of objects with a function that has args', [{ function: { name: 'search', args: { q: 'tea' } } }]],
    ['a list under tool_calls', { tool_calls: [{ name: 'search', args: { q: 'tea' } }] }],
  ])('T4-15: accepts %s', (_, toolCalls) => {
    expect(called(toolCalls)).toEqual([search])
  })

  it('T4-12: treats arguments that are null or absent as empty', () => {
    for (const call of [{ name: 'search' }, { name: 'search', arguments: null }])
      expect(called([call])).toEqual([{ ...search, args: {} }])
  })

  it('T4-14: keeps an id, prefers call_id, and generates a missing one by position', () => {
    const calls = [
      { id: 'a', call_id: 'b', name: 'x', args: {} },
      { id: 'c', name: 'x', args: {} },
      { name: 'x', args: {} },
    ]
    expect(called(calls).map(({ id }) => id)).toEqual(['b', 'c', 'call_2'])
  })

  it("T4-13, T4-15: reports what isn't a call, and keeps the valid ones", () => {
    const { outputs, errors } = parse({
      text: '',
      toolCalls: [null, 5, 'search', {}, { name: '' }, { name: 7 }, { ...search, id: 'z' }],
    })
    expect(outputs.tool_calls).toEqual([{ ...search, id: 'z' }])
    expect(errors.map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => 'invalid_tool_call'))
  })

  it.each(['search()', 5, true])("T4-13: reports a value that isn't a list: %j", (toolCalls) => {
    const { outputs, errors } = parse({ text: 'Hi.', toolCalls })
    expect(outputs.tool_calls).toEqual([])
    expect(errors).toMatchObject([{ code: 'invalid_tool_call', field: 'tool_calls' }])
  })

  it('T4-16: keeps the other properties of calls and responses', () => {
    const raw = { provider: 'acme' }
    const { response } = parse({
      text: '',
      toolCalls: [{ name: 'x', args: {}, metadata: { signature: 's' } }],
      raw,
      metadata: raw,
    })
    expect(response).toMatchObject({ raw, metadata: raw, toolCalls: [{ name: 'x', metadata: { signature: 's' } }] })
  })

  it('T4-24: never throws, whatever an LM returns, and normalizes twice with the same result', () => {
    const call = fc.record({ name: fc.anything(), args: fc.anything(), function: fc.anything() }, { requiredKeys: [] })
    const loose = fc.record({ text: fc.anything(), toolCalls: fc.oneof(fc.anything(), fc.array(call)) }, { requiredKeys: [] })
    fc.assert(
      fc.property(loose, (response) => {
        for (const adapter of [nativeAdapter, textAdapter(hermes)])
          expect(adapter.parse(plan, response as LMResponse)).toEqual(adapter.parse(plan, response as LMResponse))
      }),
    )
  })
})
