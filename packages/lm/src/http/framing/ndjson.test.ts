import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf, cut, host, readAll } from '../../../test/http/framing/reader.ts'
import { createNDJSONReader } from './ndjson.ts'

const read = (text: string, places: readonly number[] = []) => readAll(createNDJSONReader(host), cut(bytesOf(text), places))

describe('lines of JSON', () => {
  it('are the same for every split, every line end and every character, even if the last line end is missing', () => {
    const end = fc.constantFrom('\n', '\r\n', '\n\n')
    const values = fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }) }))
    fc.assert(
      fc.property(values, end, fc.boolean(), fc.array(fc.nat(), { maxLength: 30 }), (events, lineEnd, ends, places) => {
        const text = events.map((event) => JSON.stringify(event)).join(lineEnd) + (ends ? lineEnd : '')
        expect(read(text, places)).toEqual(events)
      }),
    )
  })

  it('are reported with the host and their start if they are not JSON', () => {
    const error = { code: 'invalid_reply', message: 'host.test sent an event that is not JSON: <html>' }
    expect(() => read('{"a":1}\n<html>\n')).toThrow(expect.objectContaining(error))
    expect(() => read('{"a":1}\n{"b":')).toThrow(expect.objectContaining({ code: 'invalid_reply' }))
  })

  it('are refused if they have no end, after the lines before them', () => {
    const reader = createNDJSONReader(host, 1000)
    const events: unknown[] = []
    const push = () => {
      for (;;) for (const event of reader.push(bytesOf('1\n'.repeat(5) + 'x'.repeat(600)))) events.push(event)
    }
    expect(push).toThrow(expect.objectContaining({ code: 'invalid_reply' }))
    expect(events).toEqual([1, 1, 1, 1, 1])
  })

  it('are read in linear time even in very many pieces', () => {
    const reader = createNDJSONReader(host)
    const piece = bytesOf(' ')
    // If it took more than linear time, this would take minutes.
    for (let count = 0; count < 1_000_000; count++) for (const event of reader.push(piece)) throw event
    expect([...reader.push(bytesOf('7\n'))]).toEqual([7])
  })
})
