import { describe, expect, it } from 'vitest'
import { isAtMost, isLinear } from '../../test/growth.ts'
import { spellingRedactor } from './redact-spellings.ts'

const SECRET = 'k/with+special=&<chars>"\\é😀 end'
const inHex = (character: string, start: string, length: number) =>
  Array.from(
    { length: character.length },
    (_, at) => `${start}${character.charCodeAt(at).toString(16).padStart(length, '0')}`,
  ).join('')
const json = (text: string) => JSON.stringify(text).slice(1, -1)
const url = encodeURIComponent
const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
const html = (text: string) => text.replace(/[&<>"]/g, (unit) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[unit]};`)

const NAMES: Readonly<Record<string, string>> = { '/': 'sol', '+': 'plus', '=': 'equals', '&': 'AMP' }

describe('a known secret is removed', () => {
  it.each([
    ['as it is', (text: string) => text],
    ['in JSON', json],
    ['in JSON in JSON', (text: string) => json(json(text))],
    ['in the JSON of PHP', (text: string) => json(text).replaceAll('/', '\\/')],
    ['in the JSON of Go', (text: string) => json(text).replace(/[<>&]/g, (unit) => inHex(unit, '\\u', 4))],
    ['in JSON with only escapes', (text: string) => Array.from(text, (unit) => inHex(unit, '\\u', 4)).join('')],
    ['in a URL', url],
    ['in a URL in lower case', (text: string) => lower(url(text))],
    ['in a URL in a URL', (text: string) => url(url(text))],
    ['in a whole URL', encodeURI],
    ['in a form', (text: string) => new URLSearchParams({ a: text }).toString().slice(2)],
    ['in HTML', html],
    ['in HTML in HTML', (text: string) => html(html(text))],
    ['in HTML with the names of punctuation', (text: string) => text.replace(/[/+=&]/g, (unit) => `&${NAMES[unit]};`)],
    ['in JSON in a URL in JSON', (text: string) => json(url(json(text)))],
    ['in HTML with numbers', (text: string) => Array.from(text, (unit) => `&#${unit.codePointAt(0)};`).join('')],
  ])('%s', (_, write) => {
    const redact = spellingRedactor([SECRET])
    expect(redact(`a ${write(SECRET)} b ${write(SECRET)}`)).toBe('a [redacted] b [redacted]')
    expect(redact(write(SECRET.slice(1)))).toBe(write(SECRET.slice(1)))
  })

  it('before a shorter one that it contains, also if it is very long', () => {
    const long = 'é"/'.repeat(20_000)
    expect(spellingRedactor(['abc', 'xabcx', long])(`xabcx abc ${json(long)}`)).toBe('[redacted] [redacted] [redacted]')
  })

  it('also if it contains half a surrogate pair', () => {
    expect(spellingRedactor(['abc\ud800def'])('x abc\ufffddef x')).toBe('x [redacted] x')
  })

  it('of several lines, as JSON writes it', () => {
    const key = '-----BEGIN KEY-----\r\nabc\tdef\n-----END KEY-----'
    for (const text of [key, json(key), json(json(key)), url(key), url(json(key))])
      expect(spellingRedactor([key])(`a ${text} b`)).toBe('a [redacted] b')
  })

  it('in a text with other escapes, which stay if there is no secret', () => {
    const redact = spellingRedactor(['abc/def/ghi'])
    expect(redact('{"path":"C:\\\\new","key":"abc\\/def\\/ghi"}')).toBe('{"path":"C:ew","key":"[redacted]"}')
    expect(redact('{"path":"C:\\\\new","key":"abc\\/def"}')).toBe('{"path":"C:\\\\new","key":"abc\\/def"}')
    expect(redact('100% of a&b; 1+1 \\x %zz &#99999999; &#x110000;')).toBe('100% of a&b; 1+1 \\x %zz &#99999999; &#x110000;')
  })

  it('not as a part of other words if nothing is left of it but its escapes', () => {
    expect(spellingRedactor(['\\\\\\\\\\\\\\\\', '%41%42%43', '++++++++'])('ABC is\\n in %41')).toBe('ABC is\\n in %41')
  })

  it.each(['%25', '&amp;', '\\', '&#0', '\\"', '%', '&', '%C3', '\\u', '\\u0061', 'a'])(
    'in linear time from %j, repeated',
    (unit) => {
      const redact = spellingRedactor(['%%%%%%%%x', '&&&&&&&&x', `${'\\'.repeat(20)}x`, '""""""""x', `${'a'.repeat(1000)}b`])
      expect(isLinear((size) => redact(unit.repeat(size)), 1_000)).toBe(true)
    },
  )

  it.each<[what: string, secretOf: (length: number) => string]>([
    ['ends', (length) => `${'a'.repeat(length)}b`],
    ['begins', (length) => `b${'a'.repeat(length)}`],
  ])('in linear time from a long text that lacks only the character with which the secret %s', (_, secretOf) => {
    expect(isLinear((size) => spellingRedactor([secretOf(size)])('a'.repeat(size)), 250)).toBe(true)
  })

  it('in about the time that a text of their length takes, if there are many', () => {
    const tokens = Array.from({ length: 200 }, (_, index) => `${index}${'token'.repeat(200)}`)
    const text = `x ${tokens[7]} ${inHex(tokens[8] ?? '', '\\u', 4)}`
    expect(spellingRedactor(tokens)(text)).toBe('x [redacted] [redacted]')
    const [all, redactOne] = [tokens.join(' '), spellingRedactor(['0123456789'])]
    const redactMany = () => spellingRedactor(tokens)(text)
    expect(isAtMost(20, redactMany, () => redactOne(all))).toBe(true)
  })
})
