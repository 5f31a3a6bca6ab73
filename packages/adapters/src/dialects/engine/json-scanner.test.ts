import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonScanner } from './json-scanner.ts'

/** Where the first value of a text ends, and what is said there; -1 while it is open. */
function scan(text: string, stops = ''): { end: number; stoppedAt?: string | undefined; closing: string } {
  const scanner = new JsonScanner(stops)
  const end = scanner.push(text, 0)
  return { end, stoppedAt: scanner.stoppedAt, closing: scanner.closing }
}

describe('a value', () => {
  it('ends behind its last bracket', () => {
    expect(scan(' {"a":[1,{}]} {"b":2}').end).toBe(13)
    expect(scan('[1,[2]],3').end).toBe(7)
  })

  it('that is a string ends behind its quote', () => {
    expect(scan('"a\\"b" c').end).toBe(6)
    expect(scan("'a\\'b' c").end).toBe(6)
  })

  it('without brackets ends before what follows it', () => {
    for (const end of [',', '}', ']', ' ', '\n'])
      expect(scan(`-1.5${end}`)).toEqual({ end: 4, stoppedAt: undefined, closing: '' })
  })

  it('takes brackets, quotes and stops in strings for text', () => {
    const text = '{"a":"}]</tool_call>\\"}"}'
    expect(scan(text, '<').end).toBe(text.length)
  })

  it('may have an apostrophe in a word that lacks its quotes', () => {
    expect(scan("{a: don't}, 'x'").end).toBe(10)
  })

  it('is missing where no value can start', () => {
    for (const text of [',', '}', ' ]']) expect(scan(text)).toMatchObject({ end: text.length - 1, stoppedAt: 'nothing' })
  })
})

describe('a stop', () => {
  it('outside strings ends the value, and what it lacks is reported', () => {
    expect(scan('{"a":["b" <', '<')).toEqual({ end: 10, stoppedAt: 'stop', closing: ']}' })
  })

  it('that is passed belongs to the value, and the next one does not', () => {
    const scanner = new JsonScanner('<')
    expect(scanner.push('[<<]', 0)).toBe(1)
    scanner.pass()
    expect(scanner.push('[<<]', 1)).toBe(2)
    scanner.pass()
    expect(scanner.push('[<<]', 2)).toBe(4)
  })
})

describe('several stops', () => {
  it('each end the value outside of strings', () => {
    for (const stop of '<#') expect(scan(`{"a": 1 ${stop}`, '\n<#')).toMatchObject({ end: 8, stoppedAt: 'stop' })
  })

  it('end it in strings at a line break, unless that is passed', () => {
    const text = '["a<#\n\nb"]'
    const scanner = new JsonScanner('<#\n')
    expect(scanner.push(text, 0)).toBe(5)
    scanner.pass()
    expect(scanner.push(text, 5)).toBe(6)
    scanner.pass()
    expect(scanner.push(text, 6)).toBe(text.length)
  })
})

describe('a value that is cut off', () => {
  it('reports what it lacks', () => {
    expect(scan('{"a":[{"b":"x\\')).toEqual({ end: -1, stoppedAt: undefined, closing: '\\"}]}' })
    expect(scan('{"a":"}')).toMatchObject({ end: -1, closing: '"}' })
  })

  it('may be as deep as it likes, and the brackets that are remembered have a limit', () => {
    const { end, closing } = scan('['.repeat(100_000))
    expect(end).toBe(-1)
    expect(closing.length).toBe(2_000)
    expect(scan('['.repeat(100_000) + ']'.repeat(100_000)).end).toBe(200_000)
  })
})

describe('any JSON value', () => {
  const value = fc.jsonValue().map((json) => JSON.stringify(json))
  const cuts = fc.array(fc.nat(), { maxLength: 6 })

  it('ends at its end and not before', () => {
    fc.assert(fc.property(value, (text) => void expect(scan(`${text},`).end).toBe(text.length)))
  })

  it('ends at the same place wherever the text is cut', () => {
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

  it('cut anywhere is whole with what it lacks, unless it ends in an escape or a comma', () => {
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
