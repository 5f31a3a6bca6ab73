import { describe, expect, it } from 'vitest'
import { CallIds } from './call-ids.ts'
import { StreamedCalls } from './streamed-calls.ts'

const open = () => new StreamedCalls<number>(new CallIds())

describe('StreamedCalls', () => {
  it('numbers calls from 0, whatever their keys', () => {
    const calls = open()
    expect([...calls.start(7, 'a', 'one'), ...calls.start(3, 'b', 'two')]).toEqual([
      { type: 'call_start', index: 0, id: 'a', name: 'one' },
      { type: 'call_start', index: 1, id: 'b', name: 'two' },
    ])
    expect(calls.append(3, '{}')).toEqual([{ type: 'arguments', index: 1, text: '{}' }])
  })

  it('reports how much of the arguments has arrived', () => {
    const calls = open()
    calls.start(0, 'a', 'one')
    calls.append(0, '{"q":')
    calls.append(0, '1}')
    expect([calls.lengthOf(0), calls.lengthOf(1)]).toEqual([7, 0])
  })

  it('ends a call once, and accepts nothing after its end', () => {
    const calls = open()
    calls.start(0, 'a', 'one')
    expect(calls.end(0, { arguments: '{}' })).toEqual([{ type: 'call_end', index: 0, arguments: '{}' }])
    expect([...calls.end(0), ...calls.append(0, 'x'), ...calls.endAll('stop')]).toEqual([])
  })

  it('ignores pieces without a call', () => {
    expect([...open().append(0, 'x'), ...open().end(0)]).toEqual([])
  })

  it('pitfall 6: ends the earlier call if its key is reused', () => {
    const calls = open()
    calls.start(0, 'a', 'one')
    expect(calls.start(0, 'a', 'two')).toEqual([
      { type: 'call_end', index: 0 },
      { type: 'call_start', index: 1, id: 'call_1', name: 'two' },
    ])
  })

  it('marks open calls if the stream ends early or the reply was truncated', () => {
    for (const finishReason of [undefined, 'length', 'content-filter', 'error'] as const) {
      const calls = open()
      calls.start(0, 'a', 'one')
      calls.start(1, 'b', 'two')
      calls.end(0)
      expect(calls.endAll(finishReason)).toEqual([{ type: 'call_end', index: 1, truncated: true }])
    }
  })

  it('treats open calls as complete if the reply is complete', () => {
    const calls = open()
    calls.start(0, 'a', 'one')
    expect(calls.endAll('tool-calls')).toEqual([{ type: 'call_end', index: 0 }])
  })
})
