/** Tests the `patterns` target: it finds planted faults, counts steps correctly, and finds nothing in our code. */
import { validate } from '@x/tool-core'
import { expect, it } from 'vitest'
import { run } from '../fuzz.ts'
import { createRandom } from '../random.ts'
import type { Validate } from '../schemas/schemas-target.ts'
import { countSteps, MOST_STEPS } from './count-steps.ts'
import { definePatternsTarget } from './patterns-target.ts'
import { type PatternNode, randomPattern, shortText, sourceOf } from './random-pattern.ts'

/** A planted fault is found in this number of executions. */
const FEW = 60

async function faultsOf(check: Validate, most: number, now = 0): Promise<ReadonlySet<string>> {
  const target = definePatternsTarget(check, () => () => now)
  const { findings } = await run(target, 3, (executions) => executions >= most)
  return new Set(findings.map((finding) => finding.check))
}

const patternOf = (schema: object) =>
  (schema as { readonly properties: { readonly a: { readonly pattern: string } } }).properties.a.pattern

it.each<[string, Validate, number]>([
  ['answers', () => Promise.reject(new Error('deep')), 0],
  ['matches the same text as JavaScript', async () => [], 0],
  [
    'takes a number of steps in proportion to the length',
    async (schema, value) =>
      new RegExp(patternOf(schema), 'u').test((value as { a: string }).a.slice(0, 10)) ? [] : [{ keyword: 'pattern' }],
    0,
  ],
  ['takes time in proportion to the length', validate, 1_001],
])('finds a check that breaks the rule: %s', async (rule, check, now) => {
  expect(await faultsOf(check, FEW, now)).toContain(rule)
})

it('finds nothing in our code', async () => {
  expect(await faultsOf(validate, process.env.X_FULL ? 1_000 : FEW)).toEqual(new Set())
})

const unit = (source: string): PatternNode => ({ kind: 'unit', source, fits: new RegExp(`^${source}$`, 'u') })
const all = (part: PatternNode): PatternNode => ({ kind: 'times', part, least: 1, most: Infinity, isLazy: false })
const row = (...parts: readonly PatternNode[]): PatternNode => ({ kind: 'row', parts })
const start: PatternNode = { kind: 'place', source: '^', fits: /./ }

it('counts linear, quadratic and exponential steps', () => {
  const stepsOf = (pattern: PatternNode) => [100, 400].map((length) => countSteps(pattern, `${'a'.repeat(length)}!`))
  const [few = 0, many = 0] = stepsOf(row(start, all(unit('a'))))
  expect(many / few).toBeLessThan(5)
  const [square = 0, larger = 0] = stepsOf(row(all(unit('a')), unit('b')))
  expect(larger / square).toBeGreaterThan(12)
  const group: PatternNode = { kind: 'group', open: '(?:', part: all(unit('a')) }
  expect(stepsOf(row(start, all(group), unit('b')))).toEqual([MOST_STEPS, MOST_STEPS])
})

it('writes patterns that JavaScript accepts', () => {
  const random = createRandom(5)
  for (let left = 500; left > 0; left--)
    expect(new RegExp(sourceOf(randomPattern(random)), 'u').test(shortText(random))).toBeTypeOf('boolean')
})
