/** Tests that events are joined by their item's index or id, whatever else changes between the events. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMDelta, type LMResponse } from '../../index.ts'
import { openaiResponses } from './wire.ts'

function read(...events: unknown[]): LMResponse {
  const decoder = openaiResponses.streamDecoder()
  const deltas: LMDelta[] = [...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()]
  return collectDeltas(deltas)
}
const callsOf = (...events: unknown[]) => read(...events).toolCalls.map((call) => [call.name, call.arguments])

const BEGUN = { type: 'response.created', response: { status: 'in_progress', output: [] } }
const item = (call_id: string, text: string, more: object = {}) => ({
  ...{ type: 'function_call', id: `fc_${call_id}`, call_id, name: 'look', arguments: text },
  ...more,
})
const added = (place: object, one: object) => ({ type: 'response.output_item.added', ...place, item: one })
const done = (place: object, one: object) => ({ type: 'response.output_item.done', ...place, item: one })
const piece = (place: object, delta: string) => ({ type: 'response.function_call_arguments.delta', ...place, delta })
const completed = (...output: object[]) => ({ type: 'response.completed', response: { status: 'completed', output } })

describe('a call whose ids change in each event', () => {
  it('is a single call by its index', () => {
    const events = [0, 1].flatMap((output_index) => [
      added({ output_index }, item(`a${output_index}`, '')),
      piece({ output_index, item_id: `b${output_index}` }, `{"n":${output_index}}`),
      done({ output_index }, item(`c${output_index}`, `{"n":${output_index}}`)),
    ])
    const output = [item('d0', '{"n":0}'), item('d1', '{"n":1}')]
    const expected = [
      ['look', '{"n":0}'],
      ['look', '{"n":1}'],
    ]
    expect(callsOf(BEGUN, ...events, completed(...output))).toEqual(expected)
    expect(callsOf(BEGUN, ...events, completed())).toEqual(expected)
  })

  it('is a single call by the id of its item', () => {
    const id = { id: 'fc' }
    const events = [
      added({}, item('a', '', id)),
      piece({ item_id: 'fc' }, '{"x":1}'),
      done({}, item('b', '{"x":1}', id)),
      completed(item('c', '{"x":1}', id)),
    ]
    expect(callsOf(BEGUN, ...events)).toEqual([['look', '{"x":1}']])
  })

  it('is a single call without any id if no other call is open', () => {
    const events = [added({}, item('a', '')), piece({ item_id: 'x' }, '{"x":1}'), done({}, item('b', '{"x":1}'))]
    expect(callsOf(BEGUN, ...events, completed(item('c', '{"x":1}')))).toEqual([['look', '{"x":1}']])
  })

  it('is a single call if only one of its events has an index', () => {
    const place = { output_index: 3 }
    expect(callsOf(BEGUN, added({}, item('a', '')), done(place, item('b', '{"x":1}')), completed())).toEqual([
      ['look', '{"x":1}'],
    ])
    expect(callsOf(BEGUN, added(place, item('a', '')), done({}, item('b', '{"x":1}')), completed())).toEqual([
      ['look', '{"x":1}'],
    ])
  })

  it('is sent back with the id from its first event', () => {
    const events = [added({ output_index: 0 }, item('a', '')), done({ output_index: 0 }, item('b', '{"x":1}'))]
    const { text, toolCalls, metadata } = read(BEGUN, ...events, completed(item('c', '{"x":1}')))
    expect(toolCalls[0]?.id).toBe('a')
    const body = openaiResponses.encode(
      {
        messages: [
          { role: 'assistant', content: text, toolCalls, metadata },
          { role: 'tool', callId: 'a', name: 'look', content: 'Found.' },
        ],
      },
      'gpt-5.2',
    )
    const input = JSON.parse(JSON.stringify(body)).input as { call_id?: string }[]
    expect(input.map(({ call_id }) => call_id)).toEqual(['a', 'a'])
  })
})

describe('two calls', () => {
  it('with the same index stay separate if both start', () => {
    const place = { output_index: 0 }
    const events = [added(place, item('a', '')), added(place, item('b', ''))]
    expect(callsOf(BEGUN, ...events, done(place, item('a', '{"x":1}')), done(place, item('b', '{"x":2}')), completed())).toEqual([
      ['look', '{"x":1}'],
      ['look', '{"x":2}'],
    ])
  })

  it('with the same index stay separate if the first is complete', () => {
    const place = { output_index: 0 }
    expect(callsOf(BEGUN, done(place, item('a', '{"x":1}')), done(place, item('b', '{"x":2}')), completed())).toHaveLength(2)
  })

  it('with different names are never joined', () => {
    const place = { output_index: 0 }
    const events = [added(place, item('a', '')), done(place, item('b', '{}', { name: 'open' }))]
    expect(callsOf(BEGUN, ...events, completed()).map(([name]) => name)).toEqual(['look', 'open'])
  })

  it("aren't mixed up if the last event lists them in another order", () => {
    const events = ['a', 'b'].map((id, output_index) => added({ output_index }, item(id, '')))
    expect(callsOf(BEGUN, ...events, completed(item('b', '{"n":"b"}'), item('a', '{"n":"a"}')))).toEqual([
      ['look', '{"n":"a"}'],
      ['look', '{"n":"b"}'],
    ])
  })
})

it('any number of calls stays the same, whichever ids change in whichever events', () => {
  const ids = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 })
  const calls = fc.array(fc.record({ name: fc.constantFrom('f', 'g'), value: fc.integer(), changes: ids }), { maxLength: 6 })
  fc.assert(
    fc.property(calls, fc.boolean(), (list, repeats) => {
      const itemOf = (index: number, event: number, text: string) => {
        const { name, changes } = list[index] as (typeof list)[0]
        const id = (kind: string) => `${kind}_${index}${changes[event] ? `_${event}` : ''}`
        return { type: 'function_call', id: id('fc'), call_id: id('call'), name, arguments: text }
      }
      const textOf = (index: number) => `{"value":${list[index]?.value}}`
      const events = list.flatMap((_, output_index) => [
        added({ output_index }, itemOf(output_index, 0, '')),
        piece({ output_index, item_id: itemOf(output_index, 1, '').id }, textOf(output_index)),
        done({ output_index }, itemOf(output_index, 2, textOf(output_index))),
      ])
      const output = repeats ? list.map((_, index) => itemOf(index, 3, textOf(index))) : []
      expect(callsOf(BEGUN, ...events, completed(...output))).toEqual(list.map(({ name }, index) => [name, textOf(index)]))
    }),
    { numRuns: 300 },
  )
})

describe('two open calls', () => {
  const both = [
    ['look', '{"n":0}'],
    ['look', '{"n":1}'],
  ]
  const later = (place: (id: string) => object) => [
    piece(place('b'), '{"n":'),
    piece(place('a'), '{"n":0}'),
    piece(place('b'), '1}'),
  ]

  it('with the same index are distinguished by the ids of their items', () => {
    const begun = ['a', 'b'].map((id) => added({ output_index: 0 }, item(id, '')))
    const events = later((id) => ({ output_index: 0, item_id: `fc_${id}` }))
    const ends = [done({ output_index: 0 }, item('a', '{"n":0}')), done({ output_index: 0 }, item('b', '{"n":1}'))]
    expect(callsOf(BEGUN, ...begun, ...events, completed())).toEqual(both)
    expect(callsOf(BEGUN, ...begun, ...events, ...ends, completed())).toEqual(both)
  })

  it('without an index are distinguished by their call ids', () => {
    const begun = ['a', 'b'].map((id) => added({}, item(id, '')))
    expect(callsOf(BEGUN, ...begun, ...later((id) => ({ item_id: id })), completed())).toEqual(both)
    expect(callsOf(BEGUN, ...begun, ...later((call_id) => ({ call_id })), completed())).toEqual(both)
  })
})
