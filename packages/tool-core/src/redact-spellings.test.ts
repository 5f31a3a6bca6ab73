import { describe, expect, it } from 'vitest'
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

  it('in linear time', () => {
    const redact = spellingRedactor(['%%%%%%%%x', '&&&&&&&&x', `${'\\'.repeat(20)}x`, '""""""""x'])
    for (const text of ['%25', '&amp;', '\\', '&#0', '\\"']) expect(redact(text.repeat(20_000)).length).toBeGreaterThan(0)
  })
})
