import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta, type LMResponse } from '../../index.ts'
import { cohereV2 } from '../index.ts'

const content = (type: string, part: object) => ({ type, index: 0, delta: { message: { content: part } } })
const plan = (tool_plan: string) => ({ type: 'tool-plan-delta', delta: { message: { tool_plan } } })
const start = (index: number | undefined, id: string, name: string, text = '') => ({
  type: 'tool-call-start',
  index,
  delta: { message: { tool_calls: { id, type: 'function', function: { name, arguments: text } } } },
})
const piece = (index: number | undefined, text: string) => ({
  type: 'tool-call-delta',
  index,
  delta: { message: { tool_calls: { function: { arguments: text } } } },
})
const stop = (index: number | undefined) => ({ type: 'tool-call-end', index })
const end = (finish_reason?: string, rest: object = {}) => ({ type: 'message-end', delta: { finish_reason, ...rest } })

function read(...events: unknown[]): LMResponse {
  const decoder = cohereV2.streamDecoder()
  return collectDeltas([...events.flatMap((event): LMDelta[] => [...decoder.push(event)]), ...decoder.end()])
}
const callsOf = (...events: unknown[]) => read(...events).toolCalls.map((call) => [call.id, call.name, call.arguments])

describe('text in a stream', () => {
  it('is emitted piece by piece, separate from thinking, which is joined into metadata', () => {
    const events = [
      { type: 'message-start', id: 'r', delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [] } } },
      content('content-start', { type: 'thinking', thinking: '' }),
      content('content-delta', { thinking: 'h' }),
      content('content-delta', { thinking: 'm' }),
      { type: 'content-end', index: 0 },
      content('content-start', { type: 'text', text: 'H' }),
      content('content-delta', { text: 'i' }),
    ]
    const usage = { billed_units: { input_tokens: 1 }, tokens: { input_tokens: 3.0, output_tokens: 4.0 }, cached_tokens: 2 }
    expect(read(...events, end('COMPLETE', { usage }))).toEqual({
      text: 'Hi',
      toolCalls: [],
      reasoning: 'hm',
      finishReason: 'stop',
      rawFinishReason: 'COMPLETE',
      usage: { inputTokens: 3, outputTokens: 4, cacheReadTokens: 2 },
      metadata: {
        'cohere-v2': {
          content: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'text', text: 'Hi' },
          ],
        },
      },
    })
  })

  it('keeps citations', () => {
    const citation = { start: 0, end: 2, text: 'Hi' }
    const cited = { type: 'citation-start', index: 0, delta: { message: { citations: citation } } }
    const response = read(content('content-delta', { text: 'Hi' }), cited, { type: 'citation-end', index: 0 }, end('COMPLETE'))
    expect(response).toMatchObject({ text: 'Hi', metadata: { 'cohere-v2': { citations: [citation] } } })
  })

  it('is recognized by the name of the event if the JSON has no type', () => {
    const { type, ...event } = content('content-delta', { text: 'Hi' })
    expect(read({ ...event, _event: type }).text).toBe('Hi')
  })
})

describe('calls in a stream', () => {
  it('arrive with the plan, which is emitted as reasoning and kept as metadata', () => {
    const events = [plan('I '), plan('will.'), start(0, 'a_1', 'a'), piece(0, '{"q"'), piece(0, ':1}'), stop(0), end('TOOL_CALL')]
    expect(read(...events)).toEqual({
      text: '',
      toolCalls: [{ id: 'a_1', name: 'a', arguments: '{"q":1}' }],
      reasoning: 'I will.',
      finishReason: 'tool-calls',
      rawFinishReason: 'TOOL_CALL',
      metadata: { 'cohere-v2': { tool_plan: 'I will.' } },
    })
  })

  it('are emitted at once, and end with the next call or with the reply', () => {
    const decoder = cohereV2.streamDecoder()
    const types = [start(0, 'a_1', 'a'), stop(0), start(1, 'b_1', 'b'), stop(1), end('TOOL_CALL')].map((event) =>
      decoder.push(event).map(({ type }) => type),
    )
    expect(types).toEqual([['call_start'], [], ['call_end', 'call_start'], [], ['finish']])
    expect(decoder.end()).toEqual([{ type: 'call_end', index: 1 }])
    expect(decoder.end()).toEqual([])
  })

  it('pitfall 2: may have no piece of arguments, or null', () => {
    const events = [
      start(0, 'a_1', 'a'),
      stop(0),
      start(1, 'b_1', 'b'),
      piece(1, 'null'),
      stop(1),
      start(2, 'c_1', 'c', '{}'),
      stop(2),
    ]
    expect(callsOf(...events, end('TOOL_CALL'))).toEqual([
      ['a_1', 'a', ''],
      ['b_1', 'b', 'null'],
      ['c_1', 'c', '{}'],
    ])
  })

  it('pitfall 6: may be interleaved, start at any index, and lack the index', () => {
    const interleaved = [
      start(3, 'a_1', 'a'),
      start(1, 'b_1', 'b'),
      piece(3, '{'),
      piece(1, '{}'),
      piece(3, '}'),
      stop(3),
      stop(1),
    ]
    expect(callsOf(...interleaved, end('TOOL_CALL'))).toEqual([
      ['a_1', 'a', '{}'],
      ['b_1', 'b', '{}'],
    ])
    const bare = [
      start(undefined, 'a_1', 'a'),
      piece(undefined, '{}'),
      stop(undefined),
      start(undefined, 'b_1', 'b'),
      stop(undefined),
    ]
    expect(callsOf(...bare, end('TOOL_CALL'))).toEqual([
      ['a_1', 'a', '{}'],
      ['b_1', 'b', ''],
    ])
  })

  it("aren't duplicated if a relay repeats a start", () => {
    const events = [start(0, 'a', 'one'), start(0, 'a', 'one'), piece(0, '{}'), stop(0)]
    expect(callsOf(...events, end('TOOL_CALL'))).toEqual([['a', 'one', '{}']])
  })

  it('pitfall 4: have unique ids, and keep the original ones', () => {
    const { toolCalls } = read(start(0, 'x', 'a'), stop(0), start(1, 'x', 'b'), stop(1), end('TOOL_CALL'))
    expect(toolCalls[1]).toMatchObject({ name: 'b', metadata: { 'cohere-v2': { id: 'x' } } })
    expect(toolCalls[1]?.id).not.toBe('x')
  })

  it('pitfall 1: result in the finish reason tool-calls, whatever the provider sends', () => {
    for (const reason of ['COMPLETE', '', undefined])
      expect(read(start(0, 'a_1', 'a'), stop(0), end(reason)).finishReason).toBe('tool-calls')
  })
})

describe('a truncated stream', () => {
  const two = [start(0, 'a_1', 'a'), piece(0, '{}'), stop(0), start(1, 'b_1', 'b'), piece(1, '{}'), stop(1)]
  const marks = (...events: unknown[]) => read(...events).toolCalls.map(({ truncated }) => truncated)

  it('has an incomplete last call, even if the call has an end event', () => {
    expect(marks(...two, end('MAX_TOKENS'))).toEqual([undefined, true])
    expect(marks(...two.slice(0, -1), end('MAX_TOKENS'))).toEqual([undefined, true])
  })

  it('has complete calls only if their end events have arrived', () => {
    expect(marks(...two)).toEqual([undefined, undefined])
    expect(marks(...two.slice(0, -1))).toEqual([undefined, true])
    expect(read(...two).finishReason).toBe('error')
  })

  it('keeps the plan', () => {
    expect(read(plan('I will'))).toMatchObject({ finishReason: 'error', metadata: { 'cohere-v2': { tool_plan: 'I will' } } })
  })

  it('pitfall 11: reports the error inside it', () => {
    expect(read(content('content-delta', { text: 'H' }), end('ERROR', { error: 'overloaded' }))).toMatchObject({
      text: 'H',
      finishReason: 'error',
      rawFinishReason: 'ERROR',
      error: { message: 'overloaded' },
    })
    expect(read({ message: 'no' })).toMatchObject({ finishReason: 'error', error: { message: 'no' } })
  })

  it('ignores unknown kinds of events', () => {
    expect(read({ type: 'debug', prompt: 'x' }, { type: 'new', delta: { message: { content: { text: 'x' } } } }, null).text).toBe(
      '',
    )
  })
})
