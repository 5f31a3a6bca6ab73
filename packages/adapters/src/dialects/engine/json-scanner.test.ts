import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonScanner } from './json-scanner.ts'

/** Returns where the first value of a text ends, or -1 while the value is open, and why the scanner stopped. */
function scan(text: string, stops = ''): { end: number; stoppedAt?: string | undefined; closing: string } {
  const scanner = new JsonScanner(stops)
  const end = scanner.push(text, 0)
  return { end, stoppedAt: scanner.stoppedAt, closing: scanner.closing }
}

describe('a value', () => {
  it('ends after its last bracket', () => {
    expect(scan(' {"a":[1,{}]} {"b":2}').end).toBe(13)
    expect(scan('[1,[2]],3').end).toBe(7)
  })

  it('ends after its quote if it is a string', () => {
    expect(scan('"a\\"b" c').end).toBe(6)
    expect(scan("'a\\'b' c").end).toBe(6)
  })

  it('ends before the following text if it has no brackets', () => {
    for (const end of [',', '}', ']', ' ', '\n'])
      expect(scan(`-1.5${end}`)).toEqual({ end: 4, stoppedAt: undefined, closing: '' })
  })

  it('ignores brackets, quotes and stop characters in strings', () => {
    const text = '{"a":"}]</tool_call>\\"}"}'
    expect(scan(text, '<').end).toBe(text.length)
  })

  it('may contain an apostrophe in an unquoted word', () => {
    expect(scan("{a: don't}, 'x'").end).toBe(10)
  })

  it('is missing if no value can start', () => {
    for (const text of [',', '}', ' ]']) expect(scan(text)).toMatchObject({ end: text.length - 1, stoppedAt: 'nothing' })
  })
})

describe('a stop character', () => {
  it('ends the value outside strings, and the missing rest is reported', () => {
    expect(scan('{"a":["b" <', '<')).toEqual({ end: 10, stoppedAt: 'stop', closing: ']}' })
  })

  it("belongs to the value if it is passed, but the next one doesn't", () => {
    const scanner = new JsonScanner('<')
    expect(scanner.push('[<<]', 0)).toBe(1)
    scanner.pass()
    expect(scanner.push('[<<]', 1)).toBe(2)
    scanner.pass()
    expect(scanner.push('[<<]', 2)).toBe(4)
  })
})

describe('several stop characters', () => {
  it('each end the value outside strings', () => {
    for (const stop of '<#') expect(scan(`{"a": 1 ${stop}`, '\n<#')).toMatchObject({ end: 8, stoppedAt: 'stop' })
  })

  it('also end the value at a line break in a string, unless the line break is passed', () => {
    const text = '["a<#\n\nb"]'
    const scanner = new JsonScanner('<#\n')
    expect(scanner.push(text, 0)).toBe(5)
    scanner.pass()
    expect(scanner.push(text, 5)).toBe(6)
    scanner.pass()
    expect(scanner.push(text, 6)).toBe(text.length)
  })
})

describe('a truncated value', () => {
  it('reports the missing rest', () => {
    expect(scan('{"a":[{"b":"x\\')).toEqual({ end: -1, stoppedAt: undefined, closing: '\\"}]}' })
    expect(scan('{"a":"}')).toMatchObject({ end: -1, closing: '"}' })
  })

  it('may have any depth, but only a limited number of brackets is remembered', () => {
    const { end, closing } = scan('['.repeat(100_000))
    expect(end).toBe(-1)
    expect(closing.length).toBe(2_000)
    expect(scan('['.repeat(100_000) + ']'.repeat(100_000)).end).toBe(200_000)
  })
})

describe('any JSON value', () => {
  const value = fc.jsonValue().map((json) => JSON.stringify(json))
  const cuts = fc.array(fc.nat(), { maxLength: 6 })

  it('ends exactly at its end', () => {
    fc.assert(fc.property(value, (text) => void expect(scan(`${text},`).end).toBe(text.length)))
  })

  it('ends at the same position however the text is split', () => {
    fc.assert(
      fc.property(value, cuts, (text, places) => {
        const whole = `${text}, 1`
        const borders = [...places.map((place) => place % whole.length), whole.length].sort((one, other) => one - other)
        const scanner = new JsonScanner()
        let from = 0
        let end = -1
        for (const border of borders) {
          const piece = whole.slice(from, border)
          end = scanner.push(piece, 0)
          if (end >= 0) break
          from = border
        }
        expect(from + end).toBe(text.length)
      }),
    )
  })

  it('is completed by the reported rest wherever it is truncated, unless it ends with an escape or a comma', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.nat(), (strings, place) => {
        const text = JSON.stringify(strings)
        const cut = text.slice(0, 1 + (place % (text.length - 1)))
        fc.pre(!/\\(?:u[\da-f]{0,3})?$|,$/.test(cut))
        expect(Array.isArray(JSON.parse(cut + scan(cut).closing))).toBe(true)
      }),
    )
  })
})
