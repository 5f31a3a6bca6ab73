import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta, type LMResponse } from '../../index.ts'
import { ollama } from '../index.ts'

const line = (message: object) => ({ model: 'm', message: { role: 'assistant', content: '', ...message }, done: false })
const done = (done_reason: string | undefined = 'stop', rest: object = {}) => ({ ...line({}), done: true, done_reason, ...rest })
const call = (name: string, args: unknown, rest: object = {}) => ({ function: { name, arguments: args }, ...rest })

function read(...lines: unknown[]): LMResponse {
  const decoder = ollama.streamDecoder()
  return collectDeltas([...lines.flatMap((one): LMDelta[] => [...decoder.push(one)]), ...decoder.end()])
}

describe('a stream', () => {
  it('emits thinking and text piece by piece, and its usage last', () => {
    const lines = [line({ thinking: 'h' }), line({ thinking: 'm' }), line({ content: 'H' }), line({ content: 'i' })]
    expect(read(...lines, done('stop', { prompt_eval_count: 3, eval_count: 4 }))).toEqual({
      text: 'Hi',
      toolCalls: [],
      reasoning: 'hm',
      finishReason: 'stop',
      rawFinishReason: 'stop',
      usage: { inputTokens: 3, outputTokens: 4 },
    })
  })

  it('emits complete calls as they arrive, and text after them', () => {
    const decoder = ollama.streamDecoder()
    expect(decoder.push(line({ tool_calls: [call('a', { q: 1 }, { id: 'x' })] }))).toEqual([
      { type: 'call_start', index: 0, id: 'x', name: 'a' },
      { type: 'arguments', index: 0, text: '{"q":1}' },
    ])
    expect(decoder.push(line({ content: 'Hi' }))).toEqual([{ type: 'text', text: 'Hi' }])
    expect(decoder.push(done())).toEqual([{ type: 'finish', finishReason: 'tool-calls', rawFinishReason: 'stop' }])
    expect(decoder.end()).toEqual([{ type: 'call_end', index: 0 }])
    expect(decoder.end()).toEqual([])
  })

  it('pitfall 4: has unique ids if only the first call has one', () => {
    const { toolCalls } = read(
      line({ tool_calls: [call('a', {}, { id: 'x' }), call('b', {})] }),
      line({ tool_calls: [call('c', {})] }),
      done(),
    )
    expect(toolCalls.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(3)
  })

  it("pitfall 5: doesn't merge calls with the same index", () => {
    const first = { function: { index: 0, name: 'a', arguments: { q: 1 } } }
    const second = { function: { index: 0, name: 'a', arguments: { q: 2 } } }
    const { toolCalls } = read(line({ tool_calls: [first] }), line({ tool_calls: [second] }), done())
    expect(toolCalls.map((one) => one.arguments)).toEqual(['{"q":1}', '{"q":2}'])
  })

  it('pitfall 1: has the finish reason tool-calls for the reason stop and for none, as older servers send it', () => {
    const calls = line({ tool_calls: [call('a', {})] })
    expect(read(calls, done()).finishReason).toBe('tool-calls')
    expect(read(calls, { ...line({}), done: true }).finishReason).toBe('tool-calls')
    expect(read(line({ content: 'Hi' }), { ...line({}), done: true }).finishReason).toBe('stop')
  })

  it('marks the last call of a truncated reply', () => {
    const lines = [line({ tool_calls: [call('a', {})] }), line({ tool_calls: [call('b', {})] })]
    expect(read(...lines, done('length')).toolCalls.map(({ truncated }) => truncated)).toEqual([undefined, true])
  })

  it('has complete calls and an error if it ends early', () => {
    expect(read(line({ tool_calls: [call('a', {})] }))).toEqual({
      text: '',
      toolCalls: [{ id: 'call_0', name: 'a', arguments: '{}' }],
      finishReason: 'error',
    })
  })

  it('pitfall 11: emits an error', () => {
    expect(read(line({ content: 'H' }), { error: 'out of memory' })).toEqual({
      text: 'H',
      toolCalls: [],
      finishReason: 'error',
      error: { message: 'out of memory' },
    })
  })
})
