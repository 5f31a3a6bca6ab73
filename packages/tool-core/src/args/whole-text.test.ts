import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readContainer, readNumber } from './whole-text.ts'

describe('readNumber', () => {
  it.each([
    ['0', 0],
    ['-0.50e3', -500],
    ['1.000', 1],
    ['0.30000000000000004', 0.30000000000000004],
    ['123456789.12345679', 123456789.12345679],
    ['1e21', 1e21],
    ['1E+2', 100],
    ['5e-324', 5e-324],
    ['0e999999999999', 0],
    ['9007199254740991', 9007199254740991],
  ])('reads %s', (text, number) => {
    expect(readNumber(text)).toBe(number)
  })

  it.each([
    '4503599627370497.3',
    '1.00000000000000001',
    '123456789.123456789123',
    '0.10000000000000000001',
    '9007199254740993',
    '-9007199254740993.0',
    '36028797018963970',
    '1e-999',
    '1.23456e-320',
    '1e999',
    `1${'0'.repeat(400)}`,
    `0.${'0'.repeat(1_000_000)}1`,
  ])('does not read %s, because the number would change', (text) => {
    expect(readNumber(text)).toBeUndefined()
  })

  it('reads every number that JSON writes, except large integers', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const read = readNumber(JSON.stringify(number))
        if (Number.isInteger(number) && !Number.isSafeInteger(number)) expect([number, undefined]).toContain(read)
        else expect(read === number).toBe(true)
      }),
    )
  })
})

describe('readContainer', () => {
  it.each([
    '[]',
    '{"a": [1, -2.5e3, "9007199254740993"], "b": {"a": 0.1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":["a","a"]}',
    ' [ "\\\\", "\\"1e999", true ] ',
  ])('reads %s', (text) => {
    expect(readContainer(text)).toEqual(JSON.parse(text))
  })

  it.each([
    '[9007199254740993]',
    '{"n":1e-999}',
    '[1e999]',
    '{"a":{"b":[1.00000000000000001]}}',
    '{"id":1,"id":2}',
    '{"id" : 1, "b": {}, "id" : 1}',
    '[{"a":1,"\\u0061":2}]',
    '{"__proto__":1,"__proto__":2}',
  ])('does not read %s, because something would be lost', (text) => {
    expect(readContainer(text)).toBeUndefined()
  })

  it.each(['1', '"a"', 'null', '[1', '{"a"}', ''])('does not read %j, which is not a container', (text) => {
    expect(readContainer(text)).toBeUndefined()
  })

  it('refuses text that is nested too deeply, however long it is', () => {
    for (const start of ['[', '{"":', '{"a":0,"b":']) {
      const end = start === '[' ? ']' : '}'
      const text = `${start.repeat(200_000)}0${end.repeat(200_000)}`
      expect(() => readContainer(text)).toThrow(/nested deeper than 512 levels/)
    }
  })

  it('reads everything that JSON writes, except large integers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, (_key, member) => (typeof member === 'number' ? Math.fround(member) / 1e30 : member))
        const parsed: unknown = JSON.parse(text)
        expect(readContainer(text)).toEqual(typeof parsed === 'object' && parsed !== null ? parsed : undefined)
      }),
    )
  })
})
