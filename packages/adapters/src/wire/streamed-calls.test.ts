import { describe, expect, it } from 'vitest'
import { CallIds } from './call-ids.ts'
import { StreamedCalls } from './streamed-calls.ts'

const open = () => new StreamedCalls<number>(new CallIds())

describe('StreamedCalls', () => {
  it('counts calls from 0, whatever their keys', () => {
    const calls = open()
    expect([...calls.start(7, 'a', 'one'), ...calls.start(3, 'b', 'two')]).toEqual([
      { type: 'call_start', index: 0, id: 'a', name: 'one' },
      { type: 'call_start', index: 1, id: 'b', name: 'two' },
    ])
    expect(calls.append(3, '{}')).toEqual([{ type: 'arguments', index: 1, text: '{}' }])
  })

  it('says how much of the arguments has come', () => {
    const calls = open()
    calls.start(0, 'a', 'one')
    calls.append(0, '{"q":')
    calls.append(0, '1}')
    expect([calls.lengthOf(0), calls.lengthOf(1)]).toEqual([7, 0])
  })

  it('ends a call once, and takes nothing after its end', () => {
    const calls = open()
    calls.start(0, 'a', 'one')
    expect(calls.end(0, { arguments: '{}' })).toEqual([{ type: 'call_end', index: 0, arguments: '{}' }])
    expect([...calls.end(0), ...calls.append(0, 'x'), ...calls.endAll('stop')]).toEqual([])
  })

  it('ignores what belongs to no call', () => {
    expect([...open().append(0, 'x'), ...open().end(0)]).toEqual([])
  })

  it('pitfall 6: a key that is used again ends the earlier call and opens another', () => {
    const calls = open()
    calls.start(0, 'a', 'one')
    expect(calls.start(0, 'a', 'two')).toEqual([
      { type: 'call_end', index: 0 },
      { type: 'call_start', index: 1, id: 'call_1', name: 'two' },
    ])
  })

  it('marks what is open when the stream just stops, or the reply was cut', () => {
    for (const finishReason of [undefined, 'length', 'content-filter', 'error'] as const) {
      const calls = open()
      calls.start(0, 'a', 'one')
      calls.start(1, 'b', 'two')
      calls.end(0)
      expect(calls.endAll(finishReason)).toEqual([{ type: 'call_end', index: 1, truncated: true }])
    }
  })

  it('takes what is open for whole when the reply came to its end', () => {
    const calls = open()
    calls.start(0, 'a', 'one')
    expect(calls.endAll('tool-calls')).toEqual([{ type: 'call_end', index: 0 }])
  })
})
