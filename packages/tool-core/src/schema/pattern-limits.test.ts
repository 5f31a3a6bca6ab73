/**
 * Every pattern finishes on any text. JavaScript's engine runs it if a proof exists, otherwise RE2, which must read the pattern as
 * JavaScript does.
 */
import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { defineTool } from '../define/tool.ts'
import { type Matcher, matchersOf } from './pattern.ts'
import { validate } from './validate.ts'
import { importEngines } from './validators/patterns/pattern-engines.ts'

const { compile, isProvable } = await importEngines()

async function matcherOf(pattern: string): Promise<Matcher> {
  const matcher = (await matchersOf(Type.Object({ a: Type.String({ pattern }) }))).get(pattern)
  if (matcher === undefined) throw new Error(`no matcher for ${pattern}`)
  return matcher
}

describe('a proof', () => {
  it.each([
    '^(?:(a - *(?:\\1))|(?:\\1)b\\b@a[^\\s,](\\d)a|(?:\\B){2})',
    '(a\\1)',
    '\\1(a)',
    '(?<n>a\\k<n>)',
    `(a)${Array.from({ length: 30 }, (_, index) => `(\\${index + 1}\\${index + 1})`).join('')}`,
    '(?=a(?!b))c',
    '^(?:\\b(?:[^\\s,]{1,3})*(?:^){2})?',
    '(a+)+^b',
    'a$(b+)+',
    '(?:a|$)+',
    '\\Ba',
    '^(?:(?:\\S+)*\\b)?',
    '(?:(?!\\b))+',
    '(?:.+(\\.)|[^\\s,])*',
    '^(?:(?:.+\\.)?[^\\s,])*$',
    '^(?:(?:a[^;]{0,99};)*b)+',
  ])('is not attempted if it would not end or would miss some work: %s', (source) => {
    expect(isProvable(new RegExp(source, 'u'))).toBe(false)
  })

  it.each([
    '(["\'])x\\1',
    '(?<n>a)\\k<n>',
    '(a)(b)\\2\\1',
    '^(?=.*\\d)a',
    '^(?:a|^b$)$',
    '(?:^|,)a(?:,|$)',
    '^a$|^b$',
    '^\\ba(?=b$)',
  ])('is attempted for %s', (source) => {
    expect(isProvable(new RegExp(source, 'u'))).toBe(true)
  })
})

describe('a pattern', () => {
  it.each([
    '^[a-z]+$',
    '^[^@]+@[^@]+$',
    '\\S+',
    '#[0-9a-f]{6}',
    '^a+(-b+)*$',
    '^.{1,500}$',
    '^\\d{4}-\\d\\d-\\d\\d$',
    '^https://',
    '^\\w{1,64}(\\.\\w{1,64})*$',
    '^\\p{L}+$',
  ])('is matched by JavaScript if this takes linear time: %s', async (pattern) => {
    expect(await matcherOf(pattern)).toMatchObject({ engine: expect.any(RegExp), isLinear: true })
  })

  // In JavaScript's engine, each of these takes seconds, and most of them never end.
  it.each<[pattern: string, pump: string, end: string]>([
    ['^(a+)+$', 'a', '!'],
    ['^(a|a)*$', 'a', '!'],
    ['(x+x+)+y', 'x', ''],
    ['^(?:\\w+\\s?)*$', 'a', '!'],
    ['^(.*,)*$', 'a,', '!'],
    ['(?<n>a+)+b', 'a', ''],
    [`${'a?'.repeat(30)}b`, 'a', ''],
    [`${'(?:a|a)'.repeat(30)}b`, 'a', ''],
    ['\\s+$', ' ', 'x'],
    ['^\\S+@\\S+$', '@', ' '],
    ['^.*,a*;.*$', ',;', '\n'],
    ['a*a*a*a*a*a*b', 'a', ''],
    ['^a*a*b.*.*c', 'a', 'b'],
    ['^(?=.*x.*y)(?!.*z).{8,}$', 'x', '\n'],
    ['(?<!a*b)c', 'a', ''],
    ['^(?:.+(\\.)|[^\\s,])*;$', '_', 'b'],
    ['\\B;', '😀', 'a'],
    ['^(?:\\b(?:[^\\s,]{1,3})*(?:^){2})d', 'c', '@é'],
    ['[a-z]{1000,}!', 'a', ''],
    ['^\\-?\\u{0,}\\u{0,}\\u{0,}$', 'u', '!'],
    ['^\\-?\\p{0,}\\p{0,}\\p{0,}$', 'p', '!'],
    ['^[u]{0,99}[u]{0,99}[u]{0,99}[u]{0,99}$', 'u', '!'],
  ])('is matched by RE2 if JavaScript may take longer: %s', async (pattern, pump, end) => {
    const { engine, isLinear } = await matcherOf(pattern)
    expect({ isNative: engine instanceof RegExp, isLinear }).toEqual({ isNative: false, isLinear: true })
    expect(engine.test(pump.repeat(50_000) + end)).toBe(false)
  })

  it.each([
    ['(?!(?:1|(?:(-)|(?:\\1))|[a-c]))', '1é,😀\n', false],
    ['(?!.|\\n|$)', '1é,😀\n', false],
    ['(?![^]|$)', '😀😀', false],
    ['(?!.|$)|é', '😀é', true],
    ['(?!😀)', '😀', true],
    ['(?!\\s*$).+', ' 😀', true],
  ])('does not match between the halves of a surrogate pair: %s', async (pattern, text, isMatch) => {
    expect((await validate(Type.String({ pattern }), text)).length === 0).toBe(isMatch)
  })

  it.each([
    ['^(?:(?!.*--)[a-z-])+$', 'a'.repeat(200_000)],
    ['^(["\'])[^"\']*\\1$', `"${'a'.repeat(200_000)}"`],
  ])('is matched only against short texts if neither engine is linear: %s', async (pattern, long) => {
    const schema = Type.Object({ a: Type.Array(Type.String({ pattern })) })
    const short = long.slice(0, 50) + long.slice(-1)
    expect(await validate(schema, { a: [short] })).toEqual([])
    expect(await validate(schema, { a: [long] })).toMatchObject([{ keyword: 'too_complex' }])
    expect(await validate(schema, { a: Array(10_000).fill(short.repeat(20)) })).not.toEqual([])
    expect(await validate(schema, { a: [short] })).toEqual([])
  })
})

describe('RE2 reads a pattern as JavaScript does', () => {
  const texts = fc.array(
    fc.oneof(
      fc.constantFrom(
        'a',
        'b',
        'A',
        '_',
        '-',
        '1',
        '9',
        ' ',
        '.',
        '\n',
        '\r',
        '\t',
        '\u2028',
        '\u00a0',
        '\ufeff',
        'é',
        'ß',
        'α',
        '😀',
        '/',
        ']',
      ),
      fc.string({ unit: 'grapheme', maxLength: 2 }),
    ),
    { maxLength: 8 },
  )
  const classes = fc.constantFrom(
    '[a-c]',
    '[^a]',
    '[\\s\\d]',
    '[^\\s]',
    '[\\S_]',
    '[^\\S\\n]',
    '[\\w-]',
    '[\\]\\-/]',
    '[^]',
    '[]',
    '[\\u{1f600}-\\u{1f64f}]',
  )
  const escapes = fc.constantFrom(
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '.',
    '\\p{L}',
    '\\P{Lu}',
    '\\p{Script=Greek}',
    '\\p{gc=Nd}',
  )
  const characters = fc.constantFrom(
    'a',
    'b',
    '1',
    ' ',
    '\\n',
    '\\r',
    '\\t',
    '\\.',
    '\\/',

    '\\x41',
    '\\u00e9',
    '\\u{1f600}',
    '😀',
    'é',
    '\\cJ',
    '\\0',
  )
  const { part } = fc.letrec<{ part: string }>((tie) => ({
    part: fc.oneof(
      { depthSize: 'small' },
      characters,
      escapes,
      classes,
      fc.constantFrom('^', '$', '\\b', '\\B'),
      fc
        .tuple(tie('part'), fc.constantFrom('(?:', '(', '(?<n1>'))
        .map(([inner, open]) => `${open === '(?<n1>' ? '(?:' : open}${inner})`),
      fc.tuple(tie('part'), tie('part')).map(([left, right]) => `(?:${left}|${right})`),
      fc
        .tuple(tie('part'), fc.constantFrom('*', '+', '?', '{2}', '{0,3}', '{1,}', '*?'))
        .map(([inner, times]) => `(?:${inner})${times}`),
      fc.tuple(tie('part'), tie('part')).map((parts) => parts.join('')),
      tie('part').map((inner) => `(?<=${inner})`),
      tie('part').map((inner) => `(?<!${inner})`),
    ),
  }))
  const ahead = fc.array(fc.tuple(fc.constantFrom('(?=', '(?!'), part, fc.constantFrom('', 'a', '.', '[^b]')), { maxLength: 2 })
  const pattern = fc.oneof(
    part,
    fc
      .tuple(ahead, part)
      .map(([looks, rest]) => `^${looks.map(([open, inner, next]) => `${open}${inner})${next}`).join('')}${rest}`),
  )

  it('for any pattern and any text', () => {
    let read = 0
    fc.assert(
      fc.property(pattern, fc.array(texts, { minLength: 5, maxLength: 5 }), (source, lists) => {
        const expression = new RegExp(source, 'u')
        let engine: ReturnType<typeof compile>
        try {
          engine = compile(expression)
        } catch (error) {
          expect((error as Error).message).toMatch(/^some of its repetitions or properties|^lookaheads/)
          return
        }
        for (const text of lists.map((list) => list.join(''))) {
          read++
          expect({ text, fits: engine.test(text) }).toEqual({ text, fits: expression.test(text) })
        }
      }),
      { numRuns: process.env.X_FULL ? 5_000 : 500 },
    )
    expect(read).toBeGreaterThan(500)
  })

  it('for the long names of categories', () => {
    for (const [long, text] of [
      ['Letter', 'é'],
      ['Lowercase_Letter', 'ß'],
      ['Decimal_Number', '٣'],
      ['Currency_Symbol', '€'],
      ['Dash_Punctuation', '–'],
    ] as const) {
      const expression = new RegExp(`^(?:\\p{${long}}|\\p{gc=${long}})+-\\P{${long}}$`, 'u')
      const engine = compile(expression)
      const texts = [`${text}-!`, `${text}${text}-1`, `${text}-${text}`, `!-!`]
      expect(texts.map((each) => engine.test(each))).toEqual(texts.map((each) => expression.test(each)))
    }
  })

  it.each<[string, string[], string[]]>([
    ['^[\\d-x]$', ['-', 'x', '5'], ['a']],
    ['^a{,2}$', ['a{,2}'], ['aa']],
    ['^]{1}$', [']'], ['}']],
  ])('for a pattern that is invalid with the flag u: %s', (source, right, wrong) => {
    const engine = compile(new RegExp(source))
    expect([right.map((text) => engine.test(text)), wrong.map((text) => engine.test(text))]).toEqual([
      right.map(() => true),
      wrong.map(() => false),
    ])
  })
})

describe('the patterns of a schema', () => {
  const schemaOf = (patterns: readonly string[]) =>
    Type.Object({ a: Type.Array(Type.Union(patterns.map((pattern) => Type.String({ pattern })))) })

  it('are refused if there are too many to analyze', async () => {
    const costly = Array.from({ length: 300 }, (_, index) => `(?<!x)${index}(a|b){1,99}(c|d){1,99}`)
    await expect(matchersOf(schemaOf(costly))).rejects.toThrow(/take too long to analyze/)
    const own = () => defineTool({ name: 'find', description: 'Finds.', args: schemaOf(costly), execute: () => 1 })
    expect(own).toThrow(/defineTool\("find"\): the pattern .* take too long to analyze/)
  })

  it('are matched in the same way after the last one that may be proven', async () => {
    const patterns = Array.from({ length: 120 }, (_, index) => `^(?:a|b${index})+$`)
    const matchers = await matchersOf(schemaOf(patterns))
    expect(new Set([...matchers.values()].map(({ engine }) => engine instanceof RegExp)).size).toBe(2)
    for (const [index, pattern] of patterns.entries()) {
      const engine = matchers.get(pattern)?.engine
      expect([`ab${index}`, `b${index + 1000}`].map((text) => engine?.test(text))).toEqual([true, false])
    }
  })

  it('are analyzed while other tasks get their turn', async () => {
    let turns = 0
    let next: NodeJS.Immediate
    const other = () => {
      turns++
      next = setImmediate(other)
    }
    next = setImmediate(other)
    // Each pattern takes a second.
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000))
    await matchersOf(schemaOf(Array.from({ length: 30 }, (_, index) => `(?<!x)${index}(a|b){1,99}(?:c|d){1,99}`)))
    clock.mockRestore()
    clearImmediate(next)
    expect(turns).toBeGreaterThanOrEqual(30)
  })
})
