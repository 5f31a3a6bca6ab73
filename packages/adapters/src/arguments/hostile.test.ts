import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argumentStream, parseArguments, recoverJson } from './index.ts'

const MEGABYTE = 1_000_000
const fill = (piece: string) => piece.repeat(Math.ceil(MEGABYTE / piece.length))

/** Texts that made other parsers quadratic, or overflow. A quadratic reader does not come to their end in a test's time. */
const BOMBS: readonly string[] = [
  ...[
    ' ',
    '"',
    '\\',
    '`',
    '{',
    '[',
    '(',
    ']',
    ',',
    '{a',
    '{"a":"x"y',
    '[1,',
    '{}',
    '{"k":1,',
    '"a" ',
    'x ',
    '<a>',
    '/*',
    '//\n',
    '\u00a0',
  ].map(fill),
  `{"a":"${fill('x"y')}`,
  `{"a":"${fill(' "y" ')}"}`,
  `{"a":"${fill('x, "y')}`,
  `{"a":"${fill(' "/**/„b" ')}`,
  `{"a":"${fill(' "#x" ')}`,
  `["a"${fill(' "//x"')}`,
  `{"a":"${fill(' "/**/\'k\'#x" ')}`,
  `{"a":"${fill('\\')}`,
  `{"a":"${fill('lorem ipsum ')}`,
  `{"a":${fill('1')}}`,
  `{"a":${fill('a')}}`,
  `{"a":${fill('a ')}}`,
  `{${fill('a')}:1}`,
  `["a"${fill(' /* c */ ')}]`,
  `{"a":1}${fill(' ')}x`,
  `{"a":1}${fill('```')}`,
  `["a" ${fill('<b>')}]`,
  `Sure ${fill('( ')}{"a":1}`,
  `[${fill('"a" ')}]`,
  `{${fill('"a":1 ')}}`,
  `{\\"a\\":\\"${fill('\\\\n')}\\"}`,
]

describe('hostile texts', () => {
  it('never throw, whatever they hold', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.json()), (text) => {
        expect(typeof parseArguments(text).ok).toBe('boolean')
        expect(typeof recoverJson(text).ok).toBe('boolean')
      }),
    )
  })

  it.each(BOMBS.map((text) => [text.slice(0, 24), text]))(
    'ADP-02, ADP-03: a megabyte that begins with %j is answered',
    (_, text) => {
      expect(typeof recoverJson(text).ok).toBe('boolean')
    },
  )

  it.each(BOMBS.map((text) => [text.slice(0, 24), text]))('ADP-03: and in pieces: %j', (_, text) => {
    const stream = argumentStream()
    for (let at = 0; at < text.length; at += 16) stream.push(text.slice(at, at + 16))
    expect(stream.end()).toEqual(parseArguments(text))
  })

  it('ADP-02: depth bombs are answered, not followed', () => {
    expect(recoverJson('['.repeat(200_000))).toMatchObject({ code: 'too_deep' })
    expect(recoverJson('{"a":'.repeat(200_000))).toMatchObject({ code: 'too_deep' })
    expect(recoverJson(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)).toMatchObject({ code: 'too_deep' })
    expect(recoverJson('('.repeat(200_000))).toMatchObject({ code: 'too_deep' })
  })

  it('of 100,000 siblings are walked without recursion', () => {
    const text = JSON.stringify({ list: Array.from({ length: 100_000 }, () => ({})) })
    expect(parseArguments(text)).toMatchObject({ ok: true, tags: [] })
  })

  it('a refusal quotes at most 60 characters, and its message nothing', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 500 }), (text) => {
        const parsed = parseArguments(`secret${text}`)
        expect(parsed.ok ? 0 : parsed.excerpt.length).toBeLessThanOrEqual(60)
        expect(parsed.ok ? '' : parsed.message).not.toContain('secret')
      }),
    )
  })
})
