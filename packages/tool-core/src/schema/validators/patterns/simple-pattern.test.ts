import fc from 'fast-check'
import { expect, it } from 'vitest'
import { importEngines } from './pattern-engines.ts'
import { isSimplePattern } from './simple-pattern.ts'

const { visitsOf } = await importEngines()
const isSimple = (source: string) => isSimplePattern(new RegExp(source, 'u'))

it.each([
  ...['abc', '(a)b', '^a+', '^[a-z]+$', '^.*$', '^\\d{4}-\\d{2}-\\d{2}$', '^https?://', '^[^@\\s]+@[^@\\s]+$'],
  ...['^[\\]a]+b', '^\\d{1,3}\\.\\d*$', '^a{300}$'],
])('recognises that each character is read once by %j', (source) => {
  expect(isSimple(source)).toBe(true)
})

it.each([
  ...['a+', '^a+a$', '^\\S+@\\S+$', '^.*foo$', '^[a-z]+[0-9]$', '^a+b*a+$', '^a+b{0}a+$', '^a+?b$', '^(?:ab)+$'],
  ...['^a|b+$', '^a+\\$', '^\\p{L}+$', '^[^a]*b$', '^a+\\w', '^[a\\]]+\\]$', '^a+.$'],
])('requires a proof for %j', (source) => {
  expect(isSimple(source)).toBe(false)
})

it('requires a proof for a pattern without the flag u', () => {
  expect(isSimplePattern(/^[a-z]+$/)).toBe(false)
})

it('accepts no pattern that the proof refuses', () => {
  const atom = fc.constantFrom('a', 'b', '-', '\\.', '.', '[ab]', '[^a]', '[^-]', '\\d', '\\w', '\\S', '[\\]a]', '(?:a)', 'a|b')
  const times = fc.constantFrom('', '', '', '+', '*', '?', '{2}', '{0}', '{0,3}', '{2,}', '+?')
  const part = fc.tuple(atom, times).map((both) => both.join(''))
  const source = fc.tuple(fc.array(part, { maxLength: 6 }), fc.constantFrom('$', ''))
  let simple = 0
  fc.assert(
    fc.property(source, ([parts, end]) => {
      const expression = new RegExp(`^${parts.join('')}${end}`, 'u')
      if (!isSimplePattern(expression)) return
      simple++
      expect(visitsOf(expression)).toBe(1)
    }),
    { numRuns: 3_000 },
  )
  expect(simple).toBeGreaterThan(300)
})
