import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { matchersOf } from './pattern.ts'

async function matcherOf(pattern: string) {
  const matcher = (await matchersOf(Type.Object({ a: Type.String({ pattern }) }))).get(pattern)
  if (matcher === undefined) throw new Error(`no matcher for ${pattern}`)
  return matcher
}

describe('the longest text of a pattern', () => {
  it.each([
    '^[a-z]+$',
    '^[^@]+@[^@]+$',
    '\\S+',
    '#[0-9a-f]{6}',
    '^a+(-b+)*$',
    '^.{1,500}$',
    '^(?=.*\\d)(?=.*[A-Z]).{8,64}$',
    '^(?:[^/]+/)*[^/]*$',
    '^\\s*\\d+\\s*,\\s*\\d+\\s*,\\s*\\d+\\s*$',
    '^(["\'])[^"\']*\\1$',
    ',a*,b*c',
  ])('has no limit for %s', async (pattern) => {
    expect((await matcherOf(pattern)).longest).toBe(Infinity)
  })

  it.each<[string, number]>([
    ['\\s+$', 3_162],
    ['^.*foo.*$', 3_162],
    ['^(?:(?!.*--)[a-z-])+$', 3_162],
    ['(?<!a*b)c', 3_162],
    ['[a-z]{1000,}', 3_162],
    ['(["\']).*\\1', 3_162],
    ['(a*)\\1b', 215],
    ['^a*a*b.*.*c', 215],
    ['(?=.*x).*(?=.*y)z', 215],
    ['(?:b(?!b*c))*d', 215],
    ['a*a*a*b', 56],
    ['^[a-z]{0,99}[a-z]{0,99}[a-z]{0,99}[a-z]{0,99}$', 56],
  ])('LOOP-01: is by the repetitions that multiply each other: %s', async (pattern, longest) => {
    expect((await matcherOf(pattern)).longest).toBe(longest)
  })
})

describe('the longest text, as a guard against freezing', () => {
  // With a text of a few times this length each takes seconds, most of them for ever.
  it.each<[pattern: string, longest: number, pump: string, end: string]>([
    ['\\s+$', 3_162, ' ', 'x'],
    ['^\\S+@\\S+$', 3_162, '@', ' '],
    ['^.*,a*;.*$', 3_162, ',;', '\n'],
    ['^.+-?,.+$', 2_236, ',', '\n'],
    ['a*a*a*b', 56, 'a', ''],
    ['^a+(-b*)?a+(-b*)?a+$', 135, 'a', 'x'],
    ['^(?:(?!.*--)[a-z-])+$', 3_162, 'a', '!'],
    ['^(?:[a-z-](?!.*--))+$', 3_162, 'a', '!'],
    ['^(?:a(?<=a+b?))*$', 3_162, 'a', '!'],
    ['(?=.*x).*(?=.*y)z', 215, 'x', ''],
    ['(?:b(?!b*c))*d', 215, 'b', ''],
    ['(a*)\\1b', 215, 'a', ''],
  ])('LOOP-01: of %s has %i characters, and the search in it ends', async (pattern, longest, pump, end) => {
    const matcher = await matcherOf(pattern)
    expect(matcher.longest).toBe(longest)
    const length = longest - end.length
    const text = pump.repeat(Math.ceil(length / pump.length)).slice(0, length) + end
    expect(matcher.expression.test(text)).toBe(false)
  })

  it('LOOP-01: of a* a* b .* .* c, whose halves multiply each other, has 215 characters', async () => {
    const { expression, longest } = await matcherOf('^a*a*b.*.*c')
    expect(longest).toBe(215)
    expect(expression.test(`${'a'.repeat(107)}b${'a'.repeat(107)}`)).toBe(false)
  })
})
