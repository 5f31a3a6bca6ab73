import { describe, expect, it } from 'vitest'
import { BlockCalls } from './block-calls.ts'
import { CallIds } from './call-ids.ts'

const create = () => new BlockCalls('wire', new CallIds())
const startOf = (index: number, id: string) => ({ type: 'call_start', index, id, name: 'f' })

describe('BlockCalls', () => {
  it("ends a stopped call when another block begins, but no call that hasn't stopped", () => {
    const calls = create()
    expect(calls.start(0, 'a', 'f')).toEqual([startOf(0, 'a')])
    expect(calls.endStopped()).toEqual([])
    expect(calls.stop(0, '{}')).toEqual([{ type: 'arguments', index: 0, text: '{}' }])
    expect(calls.endStopped()).toEqual([{ type: 'call_end', index: 0 }])
    expect(calls.endStopped()).toEqual([])
  })

  it('uses the complete text of a call only if no piece arrived', () => {
    const calls = create()
    calls.start(0, 'a', 'f')
    calls.append(0, '{"q":1}')
    expect(calls.stop(0, '{}')).toEqual([])
  })

  it("ignores pieces after the stop, and pieces of blocks that aren't calls", () => {
    const calls = create()
    calls.start(0, 'a', 'f')
    calls.stop(0, '')
    expect(calls.append(0, 'x')).toEqual([])
    expect(calls.append(7, 'x')).toEqual([])
    expect(calls.stop(7, '{}')).toEqual([])
  })

  it('pitfall 3: marks the last block of a truncated reply, even if it has stopped', () => {
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

  it("marks calls that haven't stopped when the stream ends early", () => {
    const calls = create()
    calls.start(0, 'a', 'f')
    calls.stop(0, '{}')
    calls.start(1, 'b', 'f')
    expect(calls.end(undefined, undefined)).toEqual([
      { type: 'call_end', index: 0 },
      { type: 'call_end', index: 1, truncated: true },
    ])
  })

  it('T1-9: marks stopped calls with unclosed arguments when the stream ends without a finish reason', () => {
    const calls = create()
    for (const [key, text] of ['{"q":1}', '{"q":', 'null', ''].entries()) {
      calls.start(key, `id_${key}`, 'f')
      calls.append(key, text)
      calls.stop(key, '')
    }
    const deltas = calls.end(undefined, undefined)
    expect(deltas.map((delta) => 'truncated' in delta)).toEqual([false, true, false, false])
  })

  it('recognizes a repeated start until the call has stopped', () => {
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

  it('pitfall 4: recognizes a call with a generated id, and keeps the raw one', () => {
    const calls = create()
    calls.start(0, 'a', 'f')
    calls.start(1, 'a', 'f')
    expect(calls.idOf(0)).toBe('a')
    expect(calls.idOf(1)).not.toBe('a')
    expect(calls.end('tool-calls', 1)[1]).toEqual({ type: 'call_end', index: 1, metadata: { wire: { id: 'a' } } })
  })
})
