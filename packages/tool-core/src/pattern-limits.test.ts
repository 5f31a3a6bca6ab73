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

/** The longest that is tried where there is no limit. */
const LONG = 60_000
/** Without a limit each takes 2.4 s or more, most of them for ever; with it some 20 ms, and ten times that on a busy machine. */
const MAX_MILLISECONDS = 2_000

describe('the clock, as a guard against freezing', () => {
  it.each<[pattern: string, pump: string, end: string]>([
    ['\\s+$', ' ', 'x'],
    ['^\\S+@\\S+$', '@', ' '],
    ['^.*,a*;.*$', ',;', '\n'],
    ['^.+-?,.+$', ',', '\n'],
    ['a*a*a*b', 'a', ''],
    ['^a+(-b*)?a+(-b*)?a+$', 'a', 'x'],
    ['^(?:(?!.*--)[a-z-])+$', 'a', ''],
    ['^(?:[a-z-](?!.*--))+$', 'a', ''],
    ['^(?:a(?<=a+b?))*$', 'a', ''],
    ['(?=.*x).*(?=.*y)z', 'x', ''],
    ['(?:b(?!b*c))*d', 'b', ''],
    ['(a*)\\1b', 'a', ''],
  ])('LOOP-01: the longest text of %s is matched in time', async (pattern, pump, end) => {
    const { expression, longest } = await matcherOf(pattern)
    const length = Math.min(longest, LONG) - end.length
    const text = pump.repeat(Math.ceil(length / pump.length)).slice(0, length) + end
    const start = performance.now()
    expression.test(text)
    expect(performance.now() - start).toBeLessThan(MAX_MILLISECONDS)
  })

  it('LOOP-01: a* a* b .* .* c, whose halves multiply each other', async () => {
    const { expression, longest } = await matcherOf('^a*a*b.*.*c')
    const half = 'a'.repeat(Math.min(longest, LONG) / 2)
    const start = performance.now()
    expect(expression.test(`${half}b${half}`.slice(0, longest))).toBe(false)
    expect(performance.now() - start).toBeLessThan(MAX_MILLISECONDS)
  })
})
