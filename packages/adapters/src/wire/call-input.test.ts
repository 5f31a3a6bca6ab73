import { describe, expect, it } from 'vitest'
import type { RawToolCall } from '../protocol/protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import { callInput } from './call-input.ts'

function read(text: string, extra: Partial<RawToolCall> = {}) {
  const losses: Loss[] = []
  const input = callInput({ id: 'a', name: 'search', arguments: text, ...extra }, 1, (loss) => losses.push(loss))
  return { input, losses }
}

describe('callInput', () => {
  it('returns the object in the text', () => {
    expect(read('{"q": "tea", "n": [1]}')).toEqual({ input: { q: 'tea', n: [1] }, losses: [] })
  })

  it('pitfall 2: returns an empty object for empty text and for null', () => {
    for (const text of ['', ' ', '{}', 'null']) expect(read(text)).toEqual({ input: {}, losses: [] })
  })

  it('returns the repaired arguments that were executed', () => {
    expect(read('{"q": "tea",}')).toEqual({ input: { q: 'tea' }, losses: [] })
  })

  it('pitfall 7: returns an empty object for incomplete text, and reports the text as a loss', () => {
    expect(read('{"q": "te')).toEqual({
      input: {},
      losses: [
        { path: '/toolCalls/1/arguments', keyword: 'arguments', action: 'dropped', note: expect.stringContaining('{"q": "te') },
      ],
    })
  })

  it('returns an empty object for a truncated call, even if its text can be parsed', () => {
    expect(read('{"path": "/srv"}', { truncated: true })).toMatchObject({ input: {}, losses: [{ action: 'dropped' }] })
  })

  it("returns an empty object for text that isn't an object, is too deep, or could change a prototype", () => {
    for (const text of ['[1]', '5', '{"__proto__": {"x": 1}}', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`]) {
      expect(read(text)).toMatchObject({ input: {}, losses: [{ keyword: 'arguments' }] })
    }
  })

  it('reports a number beyond 2^53, which may lose digits', () => {
    const loss = { path: '/toolCalls/1/arguments', keyword: 'integer', action: 'dropped' }
    expect(read('{"order": {"ids": [7, 12345678901234567890]}}')).toEqual({
      input: { order: { ids: [7, 12345678901234567000] } },
      losses: [{ ...loss, note: 'beyond 2^53: sent as 12345678901234567000' }],
    })
    expect(read('{"id": -9007199254740993}').losses).toEqual([{ ...loss, note: 'beyond 2^53: sent as -9007199254740992' }])
    expect(read('{"n": 1e999}').losses).toEqual([{ ...loss, note: 'beyond 2^53: sent as null' }])
  })

  it("doesn't report exact numbers, fractions, or digits in a string", () => {
    expect(read('{"a": 9007199254740991, "b": -9007199254740991, "c": 0.5, "d": "12345678901234567890"}').losses).toEqual([])
  })
})
