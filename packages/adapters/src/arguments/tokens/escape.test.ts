import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reads, refuses, word } from '../../../test/arguments/texts.ts'
import { recoverJson } from '../index.ts'

const quotes = fc.constantFrom('"', "'")
const inObject = (text: fc.Arbitrary<string>, isRepaired = true) =>
  fc.tuple(text, quotes, word).map(([value, quote, key]) => {
    return isRepaired ? `{${quote}${key}${quote}: ${quote}${value}${quote},}` : `{"${key}": "${value}"}`
  })

describe("valid escapes in text that isn't valid JSON", () => {
  const lost = fc.constantFrom('E:\\bad', 'E:\\fonts', 'see \\bin', '\\frac{1}{2}', '\\b', 'C:\\temp', 'd:\\new', 'C:\\repo')

  it('are refused if they may be backslashes: \\b, \\f, and any escape after a drive letter', () => {
    refuses(inObject(lost))
    refuses(lost.map((text) => `{{}}{"a": "${text}"}`))
    refuses(fc.constantFrom('E:\\bad', '\\frac').map((text) => `{\\"a\\": \\"${text}\\"}`))
    refuses(lost.map((text) => `{}{"a": "${text}"}`))
    expect(recoverJson('{"a":"E:\\bad",}')).toMatchObject({ ok: false, code: 'bad_escape', at: 8 })
  })

  it('are decoded in valid JSON, as by JSON.parse', () => {
    fc.assert(
      fc.property(inObject(lost, false), (text) => {
        expect(recoverJson(text)).toEqual({ ok: true, value: JSON.parse(text), tags: [] })
      }),
    )
  })

  it('are decoded if a line break or a tab is meant', () => {
    const text = fc.constantFrom('one\\ntwo', 'Note:\\n- a', 'a\\tb', '\\n', 'C: \\n', 'CD:\\nx')
    reads(
      text.map((value) => [`{"a": "${value}",}`, JSON.parse(`{"a": "${value}"}`)]),
      'trailing_comma',
    )
  })
})

describe("a backslash that isn't valid in JSON", () => {
  it('is kept before letters and regular-expression characters', () => {
    const kept = fc.constantFrom(
      ...['\\d+', '\\w\\s*', '^\\(x\\)', '\\[a\\]', 'a\\.b', '\\*', '\\+', '\\?', '\\|', '\\^', '\\{2\\}'],
      ...[
        'C:\\Users',
        'C:\\Windows\\Apps',
        '\\alpha + \\eta',
        '\\varepsilon',
        '[\\w\\-]+',
        '\\d\\$',
        '\\(\\$5\\)',
        'echo \\$HOME',
        '\\${x',
        '\\$(ls)',
      ],
    )
    reads(
      kept.map((value) => [`{"a": "${value}"}`, { a: value }]),
      'kept_backslash',
    )
  })

  it('is refused before symbols that are often escaped out of habit', () => {
    refuses(inObject(fc.constantFrom('cost \\$5', '5 \\- 3', '\\#1', '\\$\\d', 'US\\$', 'a\\-z', '\\`x', '\\&', '\\%', '\\@')))
  })

  it('is refused if it forms a control character in other languages', () => {
    refuses(inObject(fc.constantFrom('\\e[31m', '\\a', 'x\\v', '\\e', '\\a1')))
  })

  it('is removed before a line break between two words', () => {
    reads(
      word.map((text) => [`{"a": "${text}\\\n${text}"}`, { a: `${text}\n${text}` }]),
      'bad_escape',
    )
  })

  it('is refused before any other line break, which may join lines, break a line or continue a command', () => {
    refuses(inObject(fc.constantFrom('one \\\ntwo', 'one\\\n two', 'one\\\r\ntwo', '\\\n', 'one\\\n')))
  })
})
