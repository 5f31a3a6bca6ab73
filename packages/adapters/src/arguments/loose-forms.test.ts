/** Tests syntax of other languages: unambiguous forms are repaired, and similar ambiguous forms are refused. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { json, ordinary, reads, refuses, write } from '../../test/arguments/texts.ts'
import { recoverJson } from './index.ts'

const date = fc
  .tuple(fc.integer({ min: 0, max: 4_102_444_799 }), fc.constantFrom(10, 16, 19, 24))
  .map(([seconds, length]) => new Date(seconds * 1000).toISOString().slice(0, length))

describe('unquoted dates', () => {
  it('become strings', () => {
    const zone = fc.constantFrom('', '+02:00', '-05:30')
    const kind = fc.tuple(date, date, zone).map(([from, to, offset]) => [from, to.length === 16 ? to + offset : to] as const)
    reads(
      kind.map(([from, to]) => [`{"from": ${from}, "to": [${to}, ${to}]}`, { from, to: [to, to] }]),
      'unquoted_value',
    )
  })

  it('are refused if they may be something else', () => {
    refuses(
      fc
        .constantFrom(
          ...['2025-1-10', '2025-13-01', '2025-01-32', '25-01-10', '2025-01', '2025-01-10-5', '03/04/2025', '14:30'],
          ...['2025-01-10 09:00', '2025-01-10T25:00', '-2025-01-10', '2025-01-10"'],
        )
        .map((text) => `{"a": ${text}}`),
    )
    expect(recoverJson('2025-01-10')).toMatchObject({ code: 'bad_number' })
    expect(recoverJson('{"a": 2025-01-10')).toMatchObject({ code: 'truncated' })
  })
})

describe('numbers in the syntax of other languages', () => {
  it('are accepted in base 2 and 8, and with the Unicode minus sign', () => {
    const natural = fc.nat({ max: 2 ** 31 })
    const form = fc.constantFrom<(value: number) => string>(
      (value) => `0b${value.toString(2)}`,
      (value) => `0O${value.toString(8)}`,
    )
    reads(
      fc.tuple(natural, form).map(([value, toText]) => [`{"a": ${toText(value)}}`, { a: value }]),
      'loose_number',
    )
    reads(
      natural.map((value) => [
        `{"a": \u2212${value + 1}, "b": [\u22120x${value.toString(16)}f]}`,
        { a: -value - 1, b: [-(value * 16 + 15)] },
      ]),
      'loose_number',
    )
  })

  it('are refused if they may be something else', () => {
    const text = fc.constantFrom('0b12', '0o8', '017', '0b', '1\u22122', '\u2212', '\u2013 5', '[1 \u22122]')
    refuses(text.map((number) => `{"a": ${number}}`))
  })
})

describe('an arrow instead of a colon', () => {
  it('is accepted', () => {
    reads(
      fc.tuple(ordinary, fc.constantFrom('->', ' -> ')).map(([value, colon]) => [write(value, { colon }), value]),
      'equals_sign',
    )
  })

  it('is refused after an unquoted key or after a value', () => {
    refuses(fc.constantFrom('{a -> 1}', '{"a": 1 -> 2}', '{"a" --> 1}', '{"a" - > 1}', '{"a": -> 1}'))
  })
})

describe('HTML-escaped text', () => {
  const toHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

  it('is unescaped if all of it is escaped', () => {
    const kind = json.map(
      ([text, value]) => [text.replace('{', '{"html":"<b>R&D</b>",'), { html: '<b>R&D</b>', ...value }] as const,
    )
    reads(
      kind.map(([text, value]) => [toHtml(text), value]),
      'escaped',
    )
    expect(recoverJson('{&#34;a&#34;: &#34;it&#39;s &amp;quot;&#34;}')).toMatchObject({ value: { a: "it's &quot;" } })
  })

  it('is refused if only part of it is escaped', () => {
    refuses(
      fc.constantFrom(
        '{&quot;a&quot;: "b"}',
        '{&quot;a&quot;: &quot;R&D&quot;}',
        '{a: &quot;b&quot;}',
        '{&amp;quot;a&amp;quot;: 1}',
      ),
    )
  })
})

describe('text around the object', () => {
  const around = (sides: fc.Arbitrary<readonly [string, string]>) =>
    fc.tuple(json, sides).map(([[text, value], [before, after]]) => [`${before}${text}${after}`, value] as const)

  it('may be text direction marks', () => {
    reads(around(fc.constantFrom(['\u200f', '\u200f'], ['\u202b', '\u202c'], ['\u2067', '\u2069'])), 'odd_whitespace')
    expect(recoverJson('{"a": "\u200fb"}')).toEqual({ ok: true, value: { a: '\u200fb' }, tags: [] })
    refuses(fc.constantFrom('\u200f', '{"a": 1\u200f2}', '{"a": tr\u200fue}'))
  })

  it('may be nested code fences', () => {
    reads(
      around(fc.constantFrom(['````\n```json\n', '\n```\n````'], ['```\n```\n', '\n```\n```'], ['~~~\n```\n', '\n```\n~~~'])),
      'fence',
    )
    refuses(
      fc.constantFrom(`${'```\n'.repeat(4)}{"a":1}${'\n```'.repeat(4)}`, '```\n```\n', '```\n{"a":1}\n```\n```\n{"a":2}\n```'),
    )
  })

  it('may be a Markdown quotation mark', () => {
    reads(around(fc.constant(['> ', ''])), 'surrounding_text')
    refuses(json.map(([text]) => `x > ${text}`))
  })
})

describe('a string in single quotes', () => {
  const withApostrophes = (count: number) => recoverJson(`{'a': '${"it's ".repeat(count)}'}`)

  it('may contain 32 unescaped apostrophes', () => {
    expect(withApostrophes(32)).toMatchObject({ ok: true, value: { a: "it's ".repeat(32) } })
  })

  it('is refused with more apostrophes, because each one may end the string', () => {
    expect(withApostrophes(33)).toMatchObject({ ok: false, code: 'unescaped_quote' })
  })
})

describe('a string without a closing quote', () => {
  const word = fc.stringMatching(/^[a-z]{3,8}$/)

  it('ends before the comma', () => {
    reads(
      word.map((text) => [`{"a": "${text}, "b": 1}`, { a: text, b: 1 }]),
      'missing_quote',
    )
  })

  it('is refused if it may already have ended: before another quote, or before a tag', () => {
    const end = fc.constantFrom("'", '`', '</arg_value>', '</parameter>', '<|im_end|>')
    refuses(fc.tuple(word, end).map(([text, sign]) => `{"a": "${text}${sign}, "b": 1}`))
  })
})

it('refuses unquoted text with a question mark, which may be an expression', () => {
  const operator = fc.constantFrom(' ?? ', ' ? ', '?.', '??')
  refuses(fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), operator).map(([text, sign]) => `{"a": ${text}${sign}b}`))
})
