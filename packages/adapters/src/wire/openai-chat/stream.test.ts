import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta, type LMResponse } from '../../index.ts'
import { openaiChat, type StreamDecoder } from '../index.ts'

const start = () => openaiChat.streamDecoder?.() as StreamDecoder
const chunk = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
/** A chunk with one piece of a call. */
const part = (fragment: object) => chunk({ tool_calls: [fragment] })
const fn = (name: string | undefined, text?: string) => ({ function: { ...(name !== undefined && { name }), arguments: text } })
const DONE = chunk({}, 'tool_calls')

function read(...events: unknown[]): LMResponse {
  const decoder = start()
  return collectDeltas([...events.flatMap((event): LMDelta[] => [...decoder.push(event)]), ...decoder.end()])
}
const callsOf = (...events: unknown[]) => read(...events, DONE).toolCalls.map((call) => [call.id, call.name, call.arguments])

describe('text in a stream', () => {
  it('is emitted piece by piece, separate from reasoning and refusal', () => {
    const events = [chunk({ role: 'assistant', content: '' }), chunk({ reasoning_content: 'hm' }), chunk({ content: 'He' })]
    expect(read(...events, chunk({ content: 'llo' }), chunk({ refusal: 'No.' }), chunk({}, 'stop'))).toEqual({
      text: 'Hello',
      toolCalls: [],
      reasoning: 'hm',
      refusal: 'No.',
      finishReason: 'stop',
      rawFinishReason: 'stop',
    })
  })

  it('pitfall 15: is that of the first choice only', () => {
    const both = { choices: [1, 0].map((index) => ({ index, delta: { content: `${index}` } })) }
    expect(read(both, { choices: [{ index: 1, delta: { content: 'x' } }] }, chunk({}, 'stop')).text).toBe('0')
  })

  it('is followed by usage from the last chunk, from x_groq, or from the choice', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4 }
    expect(read(chunk({}, 'stop'), { choices: [], usage }).usage).toEqual({ inputTokens: 3, outputTokens: 4 })
    expect(read({ ...chunk({}, 'stop'), x_groq: { usage } }).usage).toEqual({ inputTokens: 3, outputTokens: 4 })
    const inChoice = { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] }
    expect(read(inChoice).usage).toEqual({ inputTokens: 3, outputTokens: 4 })
  })
})

describe('calls in a stream', () => {
  it('are emitted with id and name, then with their arguments, and end with the reply', () => {
    const decoder = start()
    const first = decoder.push(part({ index: 0, id: 'a', ...fn('search', '') }))
    expect(first).toEqual([{ type: 'call_start', index: 0, id: 'a', name: 'search' }])
    expect(decoder.push(part({ index: 0, ...fn(undefined, '{}') }))).toEqual([{ type: 'arguments', index: 0, text: '{}' }])
    expect(decoder.push(DONE)).toEqual([{ type: 'finish', finishReason: 'tool-calls', rawFinishReason: 'tool_calls' }])
    expect(decoder.end()).toEqual([{ type: 'call_end', index: 0 }])
    expect(decoder.end()).toEqual([])
  })

  it('may be interleaved', () => {
    const a = [part({ index: 0, id: 'a', ...fn('one', '{"x"') }), part({ index: 0, ...fn(undefined, ':1}') })]
    const b = [part({ index: 1, id: 'b', ...fn('two', '{"y"') }), part({ index: 1, ...fn(undefined, ':2}') })]
    const expected = [
      ['a', 'one', '{"x":1}'],
      ['b', 'two', '{"y":2}'],
    ]
    expect(callsOf(a[0], b[0], a[1], b[1])).toEqual(expected)
    expect(callsOf(a[0], b[0], b[1], a[1])).toEqual(expected)
  })

  it('pitfall 6: may start at index 1, skip numbers, and have any number as the index', () => {
    for (const index of [1, 7, -1, 0.5, 4_294_967_294, Number.MAX_VALUE]) {
      const events = [part({ index, id: 'a', ...fn('one', '{"x"') }), part({ index, ...fn(undefined, ':1}') })]
      expect(callsOf(...events)).toEqual([['a', 'one', '{"x":1}']])
    }
  })

  it("are treated as calls without an index if the index isn't a number", () => {
    for (const index of ['__proto__', '0', null, {}, []]) {
      const events = [part({ index, id: 'a', ...fn('one', '{"x"') }), part({ index, ...fn(undefined, ':1}') })]
      expect(callsOf(...events)).toEqual([['a', 'one', '{"x":1}']])
    }
  })

  it('pitfall 6: may lack the index: a fragment belongs to the call with its id, or to the last call', () => {
    const events = [part({ id: 'a', ...fn('one', '{"x"') }), part(fn(undefined, ':')), part({ id: 'b', ...fn('two', '{}') })]
    expect(callsOf(...events, part({ id: 'a', ...fn(undefined, '1}') }))).toEqual([
      ['a', 'one', '{"x":1}'],
      ['b', 'two', '{}'],
    ])
  })

  it('may lack index and id: another name, or a complete call before it, starts a new call', () => {
    const events = [part(fn('one', '{}')), part(fn('one', '{"x":1}')), part(fn('two')), part(fn('three', '{}'))]
    expect(callsOf(...events)).toEqual([
      ['call_0', 'one', '{}'],
      ['call_1', 'one', '{"x":1}'],
      ['call_2', 'two', ''],
      ['call_3', 'three', '{}'],
    ])
  })

  it('pitfall 6: may reuse an index: a new id and name start a new call', () => {
    const events = [part({ index: 0, id: 'a', ...fn('one', '{}') }), part({ index: 0, id: 'b', ...fn('two', '{"y"') })]
    expect(callsOf(...events, part({ index: 0, ...fn(undefined, ':2}') }))).toEqual([
      ['a', 'one', '{}'],
      ['b', 'two', '{"y":2}'],
    ])
  })

  it('pitfall 4, pitfall 6: may share an index and empty ids: a name after a complete call starts a new call', () => {
    const fragment = (name: string, text: string) => part({ index: 0, id: '', ...fn(name, text) })
    const calls = callsOf(fragment('one', '{"x":1}'), fragment('two', '{"x":'), fragment('two', '2}'), fragment('two', '{}'))
    expect(calls.map(([, ...call]) => call)).toEqual([
      ['one', '{"x":1}'],
      ['two', '{"x":2}'],
      ['two', '{}'],
    ])
    const repeated = callsOf(fragment('one', '{"x":{}'), fragment('one', ',"y":{}}'), fragment('one', ''))
    expect(repeated.map(([, ...call]) => call)).toEqual([['one', '{"x":{},"y":{}}']])
  })

  it('pitfall 4: may have an empty id in later fragments, and repeat name and id', () => {
    const events = [part({ index: 0, id: 'a', ...fn('one', '{"x"') }), part({ index: 0, id: '', ...fn('', ':1') })]
    expect(callsOf(...events, part({ index: 0, id: 'a', ...fn('one', '}') }))).toEqual([['a', 'one', '{"x":1}']])
  })

  it('pitfall 4: may share an id at two indexes: the second call gets a generated one', () => {
    const events = [part({ index: 0, id: 'a', ...fn('one', '{}') }), part({ index: 1, id: 'a', ...fn('two', '{}') })]
    expect(callsOf(...events)).toEqual([
      ['a', 'one', '{}'],
      ['call_1', 'two', '{}'],
    ])
  })

  it('may get their name after their arguments', () => {
    const events = [part({ index: 0, id: 'a', ...fn(undefined, '{"x"') }), part({ index: 0, ...fn('one') })]
    expect(callsOf(...events, part({ index: 0, ...fn(undefined, ':1}') }))).toEqual([['a', 'one', '{"x":1}']])
  })

  it('are emitted without a name if it never arrives, so that the model gets an error', () => {
    expect(callsOf(part({ index: 0, id: 'a', ...fn(undefined, '{"x":1}') }))).toEqual([['a', '', '{"x":1}']])
  })

  it('pitfall 2: may arrive complete in one chunk, several at once, without arguments', () => {
    const tool_calls = [
      { index: 0, id: 'a', function: { name: 'one' } },
      { index: 1, id: 'b', function: { name: 'two', arguments: { y: 2 } } },
    ]
    expect(callsOf(chunk({ tool_calls }))).toEqual([
      ['a', 'one', ''],
      ['b', 'two', '{"y":2}'],
    ])
  })

  it('pitfall 7: continue after arguments that can be parsed although they are incomplete', () => {
    const events = [part({ index: 0, id: 'a', ...fn('one', '{"q": "x"}') }), part({ index: 0, ...fn(undefined, ', "n": 1}') })]
    expect(callsOf(...events)).toEqual([['a', 'one', '{"q": "x"}, "n": 1}']])
  })

  it('pitfall 8: are ignored if a server sends empty placeholders', () => {
    const empty = chunk({
      content: 'x',
      function_call: { name: '', arguments: '' },
      tool_calls: [{ custom: { name: '', input: '' } }],
    })
    expect(callsOf(empty, chunk({ function_call: { name: '', arguments: '' } }))).toEqual([])
  })

  it('may have the form of the older function_call', () => {
    const events = [chunk({ function_call: { name: 'one', arguments: '{"x"' } }), chunk({ function_call: { arguments: ':1}' } })]
    expect(callsOf(...events)).toEqual([['call_0', 'one', '{"x":1}']])
  })

  it('may be very numerous', () => {
    const count = 5_000
    const opened = Array.from({ length: count }, (_, index) => part({ index, id: `id${index}`, ...fn('a', '{') }))
    const closed = opened.map((_, index) => part({ index, ...fn(undefined, '}') }))
    expect(read(...opened, ...closed, DONE).toolCalls).toHaveLength(count)
  })
})

describe('the end of a stream', () => {
  const two = [part({ index: 0, id: 'a', ...fn('rm', '{"x":1}') }), part({ index: 1, id: 'b', ...fn('rm', '{"path":"/srv"}') })]
  const truncated = (...events: unknown[]) => read(...events).toolCalls.map((call) => call.truncated === true)

  it('marks the last call as truncated after a limit or a filter, even if its arguments can be parsed', () => {
    for (const reason of ['length', 'content_filter', 'error'])
      expect(truncated(...two, chunk({}, reason))).toEqual([false, true])
  })

  it('marks no call if the reply is complete', () => {
    expect(truncated(...two, DONE)).toEqual([false, false])
    expect(truncated(...two, chunk({}, 'stop'))).toEqual([false, false])
  })

  it('is an error without a finish reason, and open calls are truncated', () => {
    const cut = [two[0], part({ index: 1, id: 'b', ...fn('rm', '{"path":"/s') })]
    expect(read(...cut).finishReason).toBe('error')
    expect(truncated(...cut)).toEqual([false, true])
  })

  it('pitfall 11: emits the error of an error event', () => {
    const events = [chunk({ content: 'x' }), { error: { message: 'Overloaded', code: 529 } }]
    expect(read(...events)).toMatchObject({ text: 'x', finishReason: 'error', error: { message: 'Overloaded', code: '529' } })
  })

  it('pitfall 10: keeps the received content if the last chunk contains an error', () => {
    const last = { ...chunk({}, 'length'), error: { message: 'Token limit reached' } }
    expect(read(chunk({ content: 'x' }), last)).toMatchObject({
      text: 'x',
      finishReason: 'length',
      error: { message: 'Token limit reached' },
    })
  })

  it('pitfall 1: completes the reply if the last chunk arrives without a finish reason', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4 }
    const closing = { choices: [], usage }
    expect(read(...two, closing)).toMatchObject({ finishReason: 'tool-calls', usage: { inputTokens: 3 } })
    expect(truncated(...two, closing)).toEqual([false, false])
    expect(read(chunk({ content: 'x' }), closing).finishReason).toBe('other')
  })

  it("isn't assumed if usage came with the first chunk", () => {
    const opening = { choices: [], usage: { prompt_tokens: 3 } }
    expect(read(opening, two[0], part({ index: 1, id: 'b', ...fn('rm', '{"path":"/s') })).finishReason).toBe('error')
  })

  it('pitfall 11: emits the error inside a choice', () => {
    const failing = {
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', error: { code: 502, message: 'Gone' } }],
    }
    expect(read(chunk({ content: 'x' }), failing)).toMatchObject({ text: 'x', finishReason: 'error', error: { code: '502' } })
  })
})

describe('a stream with [DONE] but without a finish reason', () => {
  const ended = (isDone: boolean, ...events: unknown[]) => {
    const decoder = start()
    return collectDeltas([...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end(isDone)])
  }
  const call = (text: string) => part({ index: 0, id: 'a', ...fn('search', text) })

  it('is complete, with the finish reason tool-calls or other', () => {
    expect(ended(true, chunk({ content: 'Hi' }))).toEqual({ text: 'Hi', toolCalls: [], finishReason: 'other' })
    const { finishReason, toolCalls } = ended(true, call('{"x":1}'))
    expect(finishReason).toBe('tool-calls')
    expect(toolCalls).toEqual([{ id: 'a', name: 'search', arguments: '{"x":1}' }])
  })

  it("has truncated calls if their arguments aren't closed", () => {
    expect(ended(true, call('{"x":')).toolCalls[0]).toMatchObject({ arguments: '{"x":', truncated: true })
  })

  it('is an error if it reported one, or if nothing marks it as complete', () => {
    expect(ended(true, { error: { message: 'No.' } }).finishReason).toBe('error')
    expect(ended(false, chunk({ content: 'Hi' })).finishReason).toBe('error')
  })
})
