import { describe, expect, it } from 'vitest'
import { hermes, qwen3Coder } from '../index.ts'

const call = (text: string) => ({ id: 'a', name: 'f', arguments: text })

describe('written calls', () => {
  it('keep every digit, or are refused', () => {
    const text = '{"id": 12345678901234567890, "far": 1e400}'
    expect(hermes.formatCall(call(text))).toMatchObject({ ok: true, text: expect.stringContaining(text) })
    expect(qwen3Coder.formatCall(call(text))).toMatchObject({ ok: false, code: 'unrepresentable_value' })
    expect(qwen3Coder.formatCall(call('{"text": "12345678901234567890"}'))).toMatchObject({ ok: true })
    expect(qwen3Coder.formatCall(call('{"n": 0.1, "m": 1234567890}'))).toMatchObject({ ok: true })
  })

  it("are refused if they aren't JSON", () => {
    expect(hermes.formatCall(call('{"a": '))).toMatchObject({ ok: false, code: 'invalid_arguments' })
  })

  it('are parsed again if the tools are given', () => {
    const parameters = { type: 'object', properties: { value: {} } }
    const tools = [{ type: 'function' as const, function: { name: 'f', description: 'F.', parameters } }]
    expect(qwen3Coder.formatCall(call('{"value": "42"}'))).toMatchObject({ ok: true })
    expect(qwen3Coder.formatCall(call('{"value": "42"}'), { tools })).toMatchObject({
      ok: false,
      code: 'unrepresentable_value',
      message: expect.stringMatching(/ Use a dialect that writes arguments as JSON\.$/),
    })
    expect(qwen3Coder.formatCall(call('{"value": "x"}'), { tools })).toMatchObject({ ok: true })
  })

  it('may be an empty list', () => {
    expect(hermes.formatCalls([])).toEqual({ ok: true, text: '' })
  })
})
