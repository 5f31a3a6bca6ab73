import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta } from '../../index.ts'
import { gemini } from './wire.ts'

const chunk = (parts: readonly unknown[], more: object = {}) => ({ candidates: [{ content: { role: 'model', parts }, ...more }] })
const stop = chunk([{ text: '' }], { finishReason: 'STOP' })
const look = { functionCall: { name: 'look', args: { q: 1 } } }

function deltas(...events: readonly unknown[]): readonly LMDelta[] {
  const decoder = gemini.streamDecoder()
  return [...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()]
}
const read = (...events: readonly unknown[]) => collectDeltas(deltas(...events))

describe('a stream', () => {
  it('emits text, thoughts and calls as they arrive', () => {
    const thought = { thought: true, text: 'Hm.' }
    expect(deltas(chunk([thought]), chunk([{ text: 'I look.' }]), chunk([look]), stop)).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I look.' },
      { type: 'call_start', index: 0, id: 'call_0', name: 'look' },
      { type: 'arguments', index: 0, text: '{"q":1}' },
      { type: 'call_end', index: 0 },
      { type: 'finish', finishReason: 'tool-calls', rawFinishReason: 'STOP' },
      { type: 'metadata', metadata: { gemini: { parts: [thought, { text: 'I look.' }, { functionCall: { id: 'call_0' } }] } } },
    ])
  })

  it('counts a call before and after the event with the finish reason', () => {
    expect(read(chunk([look]), chunk([{ text: 'Sunny.' }]), stop)).toMatchObject({
      text: 'Sunny.',
      finishReason: 'tool-calls',
      rawFinishReason: 'STOP',
    })
    expect(read(chunk([{ text: 'A' }], { finishReason: 'STOP' }), chunk([look]))).toMatchObject({
      finishReason: 'tool-calls',
      rawFinishReason: 'STOP',
    })
  })

  it('accepts a finish reason that is repeated in each event', () => {
    const events = ['A', 'B'].map((text) => chunk([{ text }], { finishReason: 'STOP' }))
    expect(deltas(...events).filter(({ type }) => type === 'finish')).toHaveLength(1)
    expect(read(...events)).toMatchObject({ text: 'AB', finishReason: 'stop' })
  })

  it('uses the last token counts', () => {
    const counted = (candidatesTokenCount?: number) => ({
      ...chunk([{ text: 'A' }]),
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount },
    })
    expect(read(counted(), counted(1), counted(2), stop).usage).toEqual({ inputTokens: 3, outputTokens: 2 })
  })

  it('keeps a signature after its text as a separate part', () => {
    const { metadata } = read(
      chunk([{ text: 'A' }]),
      chunk([{ text: 'B' }]),
      chunk([{ text: '', thoughtSignature: 'c2ln' }]),
      stop,
    )
    expect(metadata).toEqual({ gemini: { parts: [{ text: 'AB' }, { text: '', thoughtSignature: 'c2ln' }] } })
  })

  it('may be a single list, as without alt=sse', () => {
    expect(read([chunk([{ text: 'A' }]), stop])).toMatchObject({ text: 'A', finishReason: 'stop' })
  })

  it('ends with an error if it has no finish reason, although its calls are complete', () => {
    const { finishReason, toolCalls } = read(chunk([look]))
    expect([finishReason, toolCalls[0]?.truncated]).toEqual(['error', undefined])
    expect(read()).toMatchObject({ finishReason: 'error' })
  })

  it('pitfall 11: emits an error', () => {
    expect(read(chunk([{ text: 'A' }]), { error: { code: 503, message: 'Overloaded.' } })).toMatchObject({
      ...{ text: 'A', finishReason: 'error' },
      error: { code: '503', message: 'Overloaded.' },
    })
  })

  it('is truncated in its last call if it reached its limit', () => {
    expect(
      read(chunk([look]), chunk([look]), chunk([], { finishReason: 'MAX_TOKENS' })).toolCalls.map((call) => call.truncated),
    ).toEqual([undefined, true])
  })
})

describe('a call that arrives value by value', () => {
  const start = chunk([{ functionCall: { name: 'look', willContinue: true }, thoughtSignature: 'c2ln' }])
  const value = (stringValue: string, willContinue: boolean, more: object = { willContinue: true }) =>
    chunk([{ functionCall: { partialArgs: [{ jsonPath: '$.q', stringValue, willContinue }], ...more } }])
  const end = chunk([{ functionCall: {} }])

  it('is collected until its end', () => {
    const { toolCalls, finishReason } = read(start, value('gre', true), value('en', false), end, stop)
    expect(toolCalls).toEqual([
      { id: 'call_0', name: 'look', arguments: '{"q":"green"}', metadata: { gemini: { thoughtSignature: 'c2ln' } } },
    ])
    expect(finishReason).toBe('tool-calls')
  })

  it('emits its arguments as they arrive', () => {
    const texts = deltas(start, value('gre', true), value('en', false), end, stop).flatMap((delta) =>
      delta.type === 'arguments' ? [delta.text] : [],
    )
    expect(texts).toEqual(['{"q":"gre', 'en"', '}'])
  })

  it('emits its complete text at the end if its values arrived out of order', () => {
    const number = (jsonPath: string, numberValue: number) =>
      chunk([{ functionCall: { partialArgs: [{ jsonPath, numberValue }], willContinue: true } }])
    const events = [start, number('$.a.b', 1), number('$.c', 2), number('$.a.d', 3), end, stop]
    expect(read(...events).toolCalls[0]?.arguments).toBe('{"a":{"b":1,"d":3},"c":2}')
  })

  it('ends with its last value, or with the reply', () => {
    expect(read(start, value('green', false, {}), stop).toolCalls[0]).toMatchObject({ arguments: '{"q":"green"}' })
    expect(read(start, value('green', false), stop).toolCalls[0]?.truncated).toBeUndefined()
  })

  it('may repeat its name in each event, and may be followed by another call', () => {
    const named = (name: string, stringValue: string, willContinue: boolean) =>
      chunk([{ functionCall: { name, partialArgs: [{ jsonPath: '$.q', stringValue }], willContinue } }])
    const { toolCalls } = read(
      named('look', 'a', true),
      named('look', 'b', false),
      named('look', 'c', false),
      named('see', 'd', false),
      stop,
    )
    expect(toolCalls.map(({ name, arguments: text }) => [name, text])).toEqual([
      ['look', '{"q":"b"}'],
      ['look', '{"q":"c"}'],
      ['see', '{"q":"d"}'],
    ])
  })

  it('continues after text in between', () => {
    const { text, toolCalls } = read(start, value('gre', true), chunk([{ text: 'So.' }]), value('en', false), end, stop)
    expect([text, toolCalls.length, toolCalls[0]?.arguments, toolCalls[0]?.truncated]).toEqual([
      'So.',
      1,
      '{"q":"green"}',
      undefined,
    ])
  })

  it('is incomplete if another call starts before its end', () => {
    expect(read(start, value('green', false), chunk([look]), stop).toolCalls.map((call) => call.truncated)).toEqual([
      true,
      undefined,
    ])
  })

  it('pitfall 7: is incomplete if the stream ends, a string has no end, or a value has no valid path', () => {
    const broken = chunk([{ functionCall: { partialArgs: [{ jsonPath: 'q', numberValue: 1 }], willContinue: true } }])
    for (const events of [[start], [start, value('gre', false)], [start, value('gre', true), stop], [start, broken, end, stop]])
      expect(read(...events).toolCalls).toMatchObject([{ name: 'look', truncated: true }])
  })
})
