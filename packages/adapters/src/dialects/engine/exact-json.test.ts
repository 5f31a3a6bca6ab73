import { describe, expect, it } from 'vitest'
import { recoverExactly } from './exact-json.ts'

const LONG = '12345678901234567890'
const toJson = (text: string) => recoverExactly(text)?.json

describe('repaired JSON', () => {
  it('is unchanged if it is valid', () => {
    expect(toJson(` {"a" : ${LONG}} `)).toBe(` {"a" : ${LONG}} `)
  })

  it('keeps all digits of its numbers', () => {
    expect(toJson(`{'a': ${LONG}}`)).toBe(`{"a": ${LONG}}`)
    expect(toJson(`[0.12345678901234567890, 'x',]`)).toBe('[0.12345678901234567890, "x"]')
  })

  it('is accepted with any fault if its numbers are exact', () => {
    expect(toJson('{a: 9007199254740991, b: "12345678901234567890"}')).toBe('{"a":9007199254740991,"b":"12345678901234567890"}')
  })

  it('is refused if a digit would be lost', () => {
    for (const text of [`{a: ${LONG}}`, '{a: 9007199254740993}', '{a: 0.12345678901234567890}', '[1e999,]'])
      expect([text, toJson(text)]).toEqual([text, undefined])
  })
})
