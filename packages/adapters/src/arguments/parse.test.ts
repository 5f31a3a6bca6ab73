import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ParseArgumentsOptions, parseArguments } from './index.ts'

const codeOf = (text: string, options?: ParseArgumentsOptions) => {
  const parsed = parseArguments(text, options)
  return parsed.ok ? parsed.tags : parsed.code
}

describe('arguments that read', () => {
  it('T4-12: an object is taken as it is, without a tag', () => {
    expect(parseArguments('{"a":1,"b":[null,{"c":"x"}]}')).toEqual({ ok: true, value: { a: 1, b: [null, { c: 'x' }] }, tags: [] })
  })

  it('T4-12: no text, white space and the text null are no arguments', () => {
    for (const text of ['', ' ', '\n\t', 'null', ' null\n'])
      expect(parseArguments(text)).toEqual({ ok: true, value: {}, tags: ['empty'] })
  })

  it('T4-12: a JSON string that holds an object is decoded once more', () => {
    expect(parseArguments('"{\\"a\\":1}"')).toEqual({ ok: true, value: { a: 1 }, tags: ['double_encoded'] })
  })

  it('any JSON object comes back as JSON.parse reads it', () => {
    const key = fc.string().filter((text) => text !== '__proto__' && text !== 'constructor')
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })), (value) => {
        const text = JSON.stringify(value)
        fc.pre(!text.includes('"__proto__"'))
        expect(parseArguments(text)).toEqual({ ok: true, value: JSON.parse(text), tags: [] })
      }),
    )
  })
})

describe('arguments that are refused', () => {
  it('T4-12: what is no JSON, with the place and an excerpt around it', () => {
    const parsed = parseArguments('{"a":1,}')
    expect(parsed).toMatchObject({ ok: false, code: 'invalid_json', excerpt: '{"a":1,}' })
    expect(parsed.ok || parsed.message).toMatch(/^The arguments are not valid JSON.*Write one JSON object\.$/)
  })

  it('T4-12: JSON that is no object', () => {
    for (const text of ['5', '[1]', 'true', '"x"', '"null"', '"[1]"', '"\\"{}\\""']) expect(codeOf(text)).toBe('not_an_object')
  })

  it('what the provider says was cut off, even when it parses', () => {
    for (const text of ['{"path":"/srv"}', '{"path":"/s', '']) expect(codeOf(text, { complete: false })).toBe('truncated')
  })

  it('ADP-01: a key __proto__, nested, escaped, double-encoded, in a list', () => {
    const texts = [
      '{"__proto__":{"isAdmin":true}}',
      '{"a":{"b":[{"__proto__":1}]}}',
      '{"\\u005f_proto__":{}}',
      '"{\\"__proto__\\":{}}"',
      '{"__proto__":null}',
    ]
    for (const text of texts) expect(codeOf(text)).toBe('forbidden_key')
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  it('ADP-01: a constructor with a prototype; a plain constructor is a word like any other', () => {
    expect(codeOf('{"constructor":{"prototype":{"x":1}}}')).toBe('forbidden_key')
    expect(codeOf('{"a":[{"constructor":{"prototype":null}}]}')).toBe('forbidden_key')
    for (const text of ['{"constructor":"Ada"}', '{"constructor":{"name":1}}', '{"constructor":null}', '{"prototype":{}}'])
      expect(codeOf(text)).toEqual([])
  })

  it('ADP-01: single-quoted keys are no JSON', () => {
    expect(codeOf("{'__proto__': {}}")).toBe('invalid_json')
  })

  it('ADP-02: what is nested deeper than 512 levels', () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    expect(codeOf(nested(512))).toEqual([])
    expect(codeOf(nested(513))).toBe('too_deep')
    expect(codeOf(nested(4), { maxDepth: 3 })).toBe('too_deep')
  })

  it('what is longer than the limit, before it is read', () => {
    expect(codeOf('{"a":"123"}', { maxLength: 5 })).toBe('too_large')
    expect(codeOf('{"a":"123"}', { maxLength: 11 })).toEqual([])
  })

  it('by a message without the text itself, and an excerpt of at most 60 characters', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 500 }), (text) => {
        const parsed = parseArguments(`secret${text}`)
        expect(parsed.ok).toBe(false)
        if (parsed.ok) return
        expect(parsed.excerpt.length).toBeLessThanOrEqual(60)
        expect(parsed.message).not.toContain('secret')
      }),
    )
  })
})

describe('hostile texts', () => {
  it('never throw, whatever they hold', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.json()), (text) => void parseArguments(text)))
  })

  it('ADP-02: depth bombs are answered, not followed', () => {
    const started = performance.now()
    expect(codeOf('['.repeat(200_000))).toBe('invalid_json')
    expect(codeOf('{"a":'.repeat(200_000))).toBe('invalid_json')
    expect(codeOf(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)).toBe('too_deep')
    expect(codeOf(`{"a":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`)).toBe('too_deep')
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('ADP-03: of 1 MB are answered in linear time', () => {
    const started = performance.now()
    const texts = [' ', '"', '\\', '`', '{', '{"a":"x"y', '[1,'].map((piece) => piece.repeat(1_000_000 / piece.length))
    for (const text of [...texts, `{"a":"${'x'.repeat(1_000_000)}`]) parseArguments(text)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('of 100,000 siblings are walked without recursion', () => {
    expect(codeOf(JSON.stringify({ list: Array.from({ length: 100_000 }, () => ({})) }))).toEqual([])
  })
})
