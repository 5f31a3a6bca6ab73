import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta, type LMResponse } from '../../index.ts'
import { openaiResponses } from './wire.ts'

const BEGUN = { type: 'response.created', response: { status: 'in_progress', output: [] } }
const added = (output_index: number, item: object) => ({ type: 'response.output_item.added', output_index, item })
const done = (output_index: number, item: object) => ({ type: 'response.output_item.done', output_index, item })
const piece = (output_index: number, delta: string, more: object = {}) => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  delta,
  ...more,
})
const words = (delta: string, kind = 'output_text') => ({ type: `response.${kind}.delta`, output_index: 0, delta })
const ended = (status: string, rest: object = {}) => ({ type: `response.${status}`, response: { status, output: [], ...rest } })
const DONE = ended('completed')
const call = (more: object = {}) => ({ type: 'function_call', id: 'fc', call_id: 'a', name: 'look', arguments: '', ...more })
const message = (text: string) => ({ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text }] })

function deltasOf(...events: unknown[]): LMDelta[] {
  const decoder = openaiResponses.streamDecoder()
  return [...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end(), ...decoder.end()]
}
const read = (...events: unknown[]): LMResponse => collectDeltas(deltasOf(...events))
const callsOf = (...events: unknown[]) => read(...events).toolCalls.map((one) => [one.id, one.name, one.arguments])

describe('text in a stream', () => {
  it('is emitted piece by piece', () => {
    const kinds = ['reasoning_summary_text', 'reasoning_text', 'output_text', 'refusal']
    expect(read(BEGUN, ...kinds.map((kind) => words('x', kind)), DONE)).toMatchObject({
      text: 'x',
      reasoning: 'xx',
      refusal: 'x',
    })
  })

  it('is the text of the item if no piece arrived', () => {
    const reasoning = { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Hm.' }] }
    expect(read(added(0, { ...reasoning, summary: [] }), done(0, reasoning), done(1, message('Hi')), DONE)).toMatchObject({
      text: 'Hi',
      reasoning: 'Hm.',
    })
  })

  it('pitfall 12: is the streamed text, even if the last event contains another one', () => {
    const events = [added(0, message('')), words('Hello,'), done(0, { ...message('Hello,'), id: 'other' })]
    expect(read(...events, DONE).text).toBe('Hello,')
    expect(read(...events, ended('completed', { output: [{ ...message('Hello,!'), id: 'third' }] })).text).toBe('Hello,')
  })

  it('pitfall 12: is the text of the last event if nothing arrived before it', () => {
    const output = [message('Hi'), call({ arguments: '{}' })]
    expect(read(BEGUN, ended('completed', { output }))).toMatchObject({ text: 'Hi', toolCalls: [{ id: 'a', arguments: '{}' }] })
  })
})

describe('calls in a stream', () => {
  it('are emitted with id and name, then with their arguments, and end when another item starts', () => {
    const decoder = openaiResponses.streamDecoder()
    expect(decoder.push(added(0, call()))).toEqual([{ type: 'call_start', index: 0, id: 'a', name: 'look' }])
    expect(decoder.push(piece(0, '{}'))).toEqual([{ type: 'arguments', index: 0, text: '{}' }])
    expect(decoder.push(done(0, call({ arguments: '{}' })))).toEqual([])
    const metadata = { 'openai-responses': { item_id: 'fc' } }
    expect(decoder.push(added(1, message('')))).toEqual([{ type: 'call_end', index: 0, metadata }])
  })

  it('may be interleaved, and start at any index', () => {
    const events = [added(7, call({ id: 'x' })), added(9, call({ id: 'y', call_id: 'b' })), piece(9, '{"y"'), piece(7, '{"x"')]
    expect(callsOf(...events, piece(9, ':2}'), piece(7, ':1}'), DONE)).toEqual([
      ['a', 'look', '{"x":1}'],
      ['b', 'look', '{"y":2}'],
    ])
  })

  it('pitfall 12: may have another item id in each event', () => {
    const events = [added(0, call({ id: '1' })), piece(0, '{}', { item_id: '2' }), done(0, call({ id: '3', arguments: '{}' }))]
    expect(callsOf(...events, ended('completed', { output: [call({ id: '4', arguments: '{}' })] }))).toEqual([
      ['a', 'look', '{}'],
    ])
  })

  it('may be identified only by the id of their item, or not at all', () => {
    const loose = { type: 'response.function_call_arguments.delta' }
    const item = { type: 'response.output_item.added', item: call() }
    expect(callsOf(item, { ...loose, item_id: 'fc', delta: '{' }, { ...loose, delta: '}' }, DONE)).toEqual([['a', 'look', '{}']])
  })

  it('pitfall 12: may get their name only in the last event', () => {
    const nameless = { type: 'function_call', id: 'fc' }
    const whole = { type: 'response.function_call_arguments.done', item_id: 'fc', arguments: '{"x":1}' }
    const output = [{ ...nameless, name: 'look', arguments: '{"x":1}' }]
    expect(callsOf(added(0, nameless), whole, ended('completed', { output }))).toEqual([['fc', 'look', '{"x":1}']])
    expect(callsOf(added(0, nameless), { ...whole, name: 'look' }, DONE)).toEqual([['fc', 'look', '{"x":1}']])
    expect(callsOf(added(0, nameless), whole, DONE)).toEqual([['fc', '', '{"x":1}']])
  })

  it('keep their name if a later event leaves it empty', () => {
    const events = [added(0, call()), done(0, call({ name: '', call_id: null, arguments: '{}' }))]
    expect(callsOf(...events, DONE)).toEqual([['a', 'look', '{}']])
  })

  it('have the arguments of the event that ends their item', () => {
    const events = [added(0, call()), piece(0, '{"x":1'), done(0, call({ arguments: '{"x":2}' }))]
    expect(callsOf(...events, DONE)).toEqual([['a', 'look', '{"x":2}']])
    expect(deltasOf(...events, DONE)).toContainEqual({
      type: 'call_end',
      index: 0,
      arguments: '{"x":2}',
      metadata: { 'openai-responses': { item_id: 'fc' } },
    })
  })

  it('pitfall 4: with the same id at two indexes are two calls', () => {
    expect(callsOf(added(0, call()), added(1, call({ id: 'fc2' })), DONE)).toEqual([
      ['a', 'look', ''],
      ['call_1', 'look', ''],
    ])
  })

  it('of the provider are emitted when their item is complete', () => {
    const item = { type: 'custom_tool_call', id: 'i', call_id: 'c', name: 'sql', input: 'SELECT 1' }
    const events = [
      added(0, { ...item, input: '' }),
      { type: 'response.custom_tool_call_input.delta', delta: 'S' },
      done(0, item),
    ]
    const { providerCalls, finishReason } = read(...events, DONE)
    expect(providerCalls).toEqual([{ type: 'custom_tool_call', by: 'client', id: 'c', name: 'sql', raw: item }])
    expect(finishReason).toBe('tool-calls')
  })
})

describe('the end of a stream', () => {
  const first = [added(0, call()), piece(0, '{"x":1}'), done(0, call({ arguments: '{"x":1}' }))]
  const second = [added(1, call({ id: 'fc2', call_id: 'b' })), piece(1, '{"path":"/srv"}')]
  const truncated = (...events: unknown[]) => read(...events).toolCalls.map((one) => one.truncated === true)

  it('marks the last call as truncated after a limit or a filter, even if its arguments can be parsed', () => {
    const full = done(1, call({ id: 'fc2', call_id: 'b', arguments: '{"path":"/srv"}' }))
    for (const reason of ['max_output_tokens', 'content_filter']) {
      const end = ended('incomplete', { incomplete_details: { reason } })
      expect(truncated(BEGUN, ...first, ...second, end)).toEqual([false, true])
      expect(truncated(BEGUN, ...first, ...second, full, end)).toEqual([false, true])
      expect(truncated(BEGUN, ...first, added(1, message('')), end)).toEqual([false])
    }
  })

  it('marks no call if the reply is complete', () => {
    expect(truncated(BEGUN, ...first, ...second, DONE)).toEqual([false, false])
  })

  it('is an error without an end event, and the open call is truncated', () => {
    expect(read(BEGUN, ...first).finishReason).toBe('error')
    expect(truncated(BEGUN, ...first, ...second)).toEqual([false, true])
    expect(read(BEGUN, words('Hel'))).toMatchObject({ text: 'Hel', finishReason: 'error' })
  })

  it('is the end of the last item if the items come without a reply', () => {
    expect(read(...first).finishReason).toBe('tool-calls')
    expect(read(...first, ...second).finishReason).toBe('error')
    expect(read(done(0, message('Hi'))).finishReason).toBe('error')
  })

  it('pitfall 11: emits an error once, whichever event contains it', () => {
    const failure = { code: 'rate_limit_exceeded', message: 'Slow down' }
    const error = { type: 'error', ...failure, param: null }
    expect(read(BEGUN, error)).toMatchObject({ finishReason: 'error', error: failure })
    expect(read(BEGUN, { type: 'error', error: failure })).toMatchObject({ finishReason: 'error', error: failure })
    const failed = ended('failed', { error: { code: 'other', message: 'x' } })
    expect(read(BEGUN, error, failed)).toMatchObject({ finishReason: 'error', rawFinishReason: 'failed', error: failure })
    expect(deltasOf(BEGUN, error, failed).filter(({ type }) => type === 'error')).toHaveLength(1)
    expect(read({ error: { message: 'No.' } })).toMatchObject({ finishReason: 'error', error: { message: 'No.' } })
    expect(read({ type: 'error' }).error?.message).toMatch(/without a message/)
  })

  it('ignores later events, and events of unknown kinds', () => {
    const unknown = [{ type: 'response.image_generation_call.partial_image' }, { type: 'keepalive' }, {}, null, 5, 'x', []]
    expect(read(BEGUN, ...unknown, words('a'), DONE, words('b'), { type: 'error' })).toMatchObject({
      text: 'a',
      finishReason: 'stop',
    })
  })
})
