import { describe, expect, it } from 'vitest'
import { collectDeltas, DeltaCollector, type LMDelta } from '../index.ts'

const call: LMDelta[] = [
  { type: 'call_start', index: 0, id: 'a', name: 'search' },
  { type: 'arguments', index: 0, text: '{"q":' },
  { type: 'arguments', index: 0, text: '"tea"}' },
]

describe('collectDeltas', () => {
  it('joins text, reasoning and refusal separately', () => {
    const response = collectDeltas([
      { type: 'text', text: 'Hel' },
      { type: 'reasoning', text: 'hm' },
      { type: 'refusal', text: 'n' },
      { type: 'text', text: 'lo' },
      { type: 'refusal', text: 'o' },
    ])
    expect(response).toEqual({ text: 'Hello', toolCalls: [], reasoning: 'hm', refusal: 'no' })
  })

  it('returns only text and calls if there were no deltas', () => {
    expect(collectDeltas([])).toEqual({ text: '', toolCalls: [] })
  })

  it('joins the arguments of a call', () => {
    const { toolCalls } = collectDeltas([...call, { type: 'call_end', index: 0 }])
    expect(toolCalls).toEqual([{ id: 'a', name: 'search', arguments: '{"q":"tea"}' }])
  })

  it('keeps interleaved calls separate, in the order in which they started', () => {
    const { toolCalls } = collectDeltas([
      { type: 'call_start', index: 1, id: 'b', name: 'second' },
      { type: 'call_start', index: 0, id: 'a', name: 'first' },
      { type: 'arguments', index: 0, text: '{}' },
      { type: 'arguments', index: 1, text: '[]' },
      { type: 'call_end', index: 0 },
      { type: 'call_end', index: 1 },
    ])
    expect(toolCalls.map((one) => [one.name, one.arguments])).toEqual([
      ['second', '[]'],
      ['first', '{}'],
    ])
  })

  it('marks a call that has not ended as truncated', () => {
    expect(collectDeltas(call).toolCalls[0]?.truncated).toBe(true)
  })

  it("keeps the data of a call's end", () => {
    const end: LMDelta = { type: 'call_end', index: 0, truncated: true, metadata: { signature: 's' } }
    expect(collectDeltas([...call, end]).toolCalls[0]).toMatchObject({ truncated: true, metadata: { signature: 's' } })
  })

  it('ignores arguments and ends of calls that never started', () => {
    const stray: LMDelta[] = [
      { type: 'arguments', index: 4_294_967_294, text: 'x' },
      { type: 'call_end', index: -1 },
    ]
    expect(collectDeltas(stray).toolCalls).toEqual([])
  })

  it('accepts any number as an index', () => {
    const deltas = [4_294_967_294, -1, 0.5].flatMap((index): LMDelta[] => [
      { type: 'call_start', index, id: `${index}`, name: 'a' },
      { type: 'call_end', index },
    ])
    expect(collectDeltas(deltas).toolCalls).toHaveLength(3)
  })

  it('merges usage, keeps the last finishReason, the first error and all metadata', () => {
    const response = collectDeltas([
      { type: 'usage', usage: { inputTokens: 3 } },
      { type: 'usage', usage: { outputTokens: 4 } },
      { type: 'metadata', metadata: { a: 1 } },
      { type: 'metadata', metadata: { b: 2 } },
      { type: 'error', error: { message: 'first' } },
      { type: 'error', error: { message: 'second' } },
      { type: 'finish', finishReason: 'stop', rawFinishReason: 'stop' },
      { type: 'finish', finishReason: 'length' },
    ])
    expect(response).toMatchObject({
      usage: { inputTokens: 3, outputTokens: 4 },
      metadata: { a: 1, b: 2 },
      error: { message: 'first' },
      finishReason: 'length',
    })
    expect(response).not.toHaveProperty('rawFinishReason')
  })
})

describe('DeltaCollector', () => {
  it('returns a new response each time, at any time', () => {
    const collector = new DeltaCollector()
    collector.push({ type: 'text', text: 'a' })
    const early = collector.response()
    collector.push({ type: 'text', text: 'b' })
    expect(early.text).toBe('a')
    expect(collector.response().text).toBe('ab')
  })
})
