import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf, cut, host, readAll } from '../../../test/http/framing/reader.ts'
import { createSSEReader } from './sse.ts'

const read = (text: string, places: readonly number[] = []) => readAll(createSSEReader(host), cut(bytesOf(text), places))

describe('server-sent events', () => {
  it('are the same for every split, every line end and every character', () => {
    const event = fc.record({ text: fc.string({ unit: 'grapheme' }), n: fc.integer() })
    const end = fc.constantFrom('\n', '\r\n', '\r')
    fc.assert(
      fc.property(fc.array(event), end, fc.array(fc.nat(), { maxLength: 30 }), (events, lineEnd, places) => {
        const text = events.map((each) => `: note${lineEnd}data: ${JSON.stringify(each)}${lineEnd}${lineEnd}`).join('')
        expect(read(text, places)).toEqual(events)
      }),
    )
  })

  it('have their name as _event if they have no type', () => {
    expect(read('event: error\ndata: {"code":1}\n\n')).toEqual([{ code: 1, _event: 'error' }])
  })

  it('have no _event if they have a type or the default name', () => {
    expect(read('event: ping\ndata: {"type":"ping"}\n\n')).toEqual([{ type: 'ping' }])
    expect(read('event: message\ndata: {"code":1}\n\n')).toEqual([{ code: 1 }])
  })

  it('stay unchanged if they are not objects', () => {
    expect(read('event: a\ndata: [1]\n\nevent: a\ndata: null\n\nevent: a\ndata: "b"\n\n')).toEqual([[1], null, 'b'])
  })

  it('may contain a key __proto__', () => {
    const [event] = read('event: a\ndata: {"__proto__":{"polluted":true}}\n\n')
    expect(Object.keys(event as object)).toEqual(['__proto__', '_event'])
    expect((event as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('end with [DONE], whatever follows it', () => {
    const reader = createSSEReader(host)
    expect([...reader.push(bytesOf('data: 1\n\ndata: [DONE]\n\ndata: nonsense\n\n'))]).toEqual([1])
    expect(reader.isDone).toBe(true)
  })

  it('are refused if they have no end, after the events before them', () => {
    for (const piece of ['data: xxxxxxxx', 'data: x\n']) {
      const reader = createSSEReader(host, 100)
      const events: unknown[] = []
      const push = () => {
        for (const event of reader.push(bytesOf(`data: 1\n\n${piece.repeat(200)}`))) events.push(event)
      }
      expect(push).toThrow(
        expect.objectContaining({ code: 'invalid_reply', message: 'host.test sent an event of more than 100 characters.' }),
      )
      expect(events).toEqual([1])
    }
  })

  it.each(['x', 'a: b', 'retry: x'])(
    'are refused if more than 1,000 lines such as "%s" follow one, after the events before them',
    (line) => {
      const reader = createSSEReader(host)
      const lines = `${line}\n`.repeat(1000)
      expect([...reader.push(bytesOf(`${lines}data: 1\n\n${lines}data: 2\n\n${lines}`))]).toEqual([1, 2])
      const events: unknown[] = []
      const push = () => {
        for (const event of reader.push(bytesOf(`data: 3\n\n${lines}${line}\ndata: 4\n\n`))) events.push(event)
      }
      const message = 'host.test sent too many unknown lines.'
      expect(push).toThrow(expect.objectContaining({ code: 'invalid_reply', message }))
      expect(events).toEqual([3])
    },
  )

  it('are refused if the unknown lines after one are longer than an event may be', () => {
    const reader = createSSEReader(host, 100)
    const line = `${'x'.repeat(98)}\n`
    expect([...reader.push(bytesOf(`${line}data: 1\n\n${line}`))]).toEqual([1])
    const message = 'host.test sent too many unknown lines.'
    expect(() => [...reader.push(bytesOf(line))]).toThrow(expect.objectContaining({ code: 'invalid_reply', message }))
  })

  it('may have unknown lines after the last one', () => {
    const reader = createSSEReader(host)
    expect([...reader.push(bytesOf('data: 1\n\na: b\nx')), ...reader.end()]).toEqual([1])
  })

  it('may be of any number', () => {
    const reader = createSSEReader(host, 100)
    for (let count = 0; count < 500; count++) expect([...reader.push(bytesOf('data: {"n":1}\n\n'))]).toEqual([{ n: 1 }])
  })

  it('are read in linear time even if they contain only line ends', () => {
    // If it took more than linear time, this would take minutes.
    expect(read('\r'.repeat(4_000_000))).toEqual([])
  })
})
