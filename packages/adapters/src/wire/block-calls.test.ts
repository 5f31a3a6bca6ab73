import { describe, expect, it } from 'vitest'
import { BlockCalls } from './block-calls.ts'
import { CallIds } from './call-ids.ts'

const create = () => new BlockCalls('wire', new CallIds())
const startOf = (index: number, id: string) => ({ type: 'call_start', index, id, name: 'f' })

describe('BlockCalls', () => {
  it('ends a call that has stopped when another block begins, and no other', () => {
    const calls = create()
    expect(calls.start(0, 'a', 'f')).toEqual([startOf(0, 'a')])
    expect(calls.endStopped()).toEqual([])
    expect(calls.stop(0, '{}')).toEqual([{ type: 'arguments', index: 0, text: '{}' }])
    expect(calls.endStopped()).toEqual([{ type: 'call_end', index: 0 }])
    expect(calls.endStopped()).toEqual([])
  })

  it('takes the whole text of a call only where no piece of it came', () => {
    const calls = create()
    calls.start(0, 'a', 'f')
    calls.append(0, '{"q":1}')
    expect(calls.stop(0, '{}')).toEqual([])
  })

  it("ignores pieces after the stop, and those for a block that isn't a call", () => {
    const calls = create()
    calls.start(0, 'a', 'f')
    calls.stop(0, '')
    expect(calls.append(0, 'x')).toEqual([])
    expect(calls.append(7, 'x')).toEqual([])
    expect(calls.stop(7, '{}')).toEqual([])
  })

  it('pitfall 3: marks the last block of a reply that was cut off, though it has stopped', () => {
    const calls = create()
    calls.start(0, 'a', 'f')
    calls.stop(0, '{}')
    calls.start(1, 'b', 'f')
    calls.stop(1, '{}')
    expect(calls.end('length', 1)).toEqual([
      { type: 'call_end', index: 0 },
      { type: 'call_end', index: 1, truncated: true },
    ])
  })

  it('marks what has not stopped when the stream breaks off', () => {
    const calls = create()
    calls.start(0, 'a', 'f')
    calls.stop(0, '{}')
    calls.start(1, 'b', 'f')
    expect(calls.end(undefined, undefined)).toEqual([
      { type: 'call_end', index: 0 },
      { type: 'call_end', index: 1, truncated: true },
    ])
  })

  it('T1-9: marks what stopped in the middle when the stream breaks off before the reason', () => {
    const calls = create()
    for (const [key, text] of ['{"q":1}', '{"q":', 'null', ''].entries()) {
      calls.start(key, `id_${key}`, 'f')
      calls.append(key, text)
      calls.stop(key, '')
    }
    const deltas = calls.end(undefined, undefined)
    expect(deltas.map((delta) => 'truncated' in delta)).toEqual([false, true, false, false])
  })

  it('knows a start that comes twice, until the call has stopped', () => {
    const calls = create()
    calls.start(0, 'a', 'f')
    calls.start(1, '', 'f')
    expect([calls.isOpen(0, 'a'), calls.isOpen(0, 'b'), calls.isOpen(1, ''), calls.isOpen(2, 'a')]).toEqual([
      true,
      false,
      false,
      false,
    ])
    calls.stop(0, '{}')
    expect(calls.isOpen(0, 'a')).toBe(false)
  })

  it('pitfall 4: knows a call by a minted id, and keeps the raw one', () => {
    const calls = create()
    calls.start(0, 'a', 'f')
    calls.start(1, 'a', 'f')
    expect(calls.idOf(0)).toBe('a')
    expect(calls.idOf(1)).not.toBe('a')
    expect(calls.end('tool-calls', 1)[1]).toEqual({ type: 'call_end', index: 1, metadata: { wire: { id: 'a' } } })
  })
})
