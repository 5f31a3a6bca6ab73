/** Tests the `dialects` target: it finds planted faults, and nothing in our code. */
import type { Dialect } from '@x/adapters/dialects'
import { expect, it } from 'vitest'
import { DIALECTS } from '../../dialects/dialects.ts'
import { run } from '../fuzz.ts'
import { defineDialectsTarget } from './dialects-target.ts'

async function faultsOf(dialects: readonly Dialect[], executions: number, now = 0): Promise<ReadonlySet<string>> {
  const target = defineDialectsTarget(dialects, () => () => now)
  const { findings } = await run(target, 3, (done) => done >= executions)
  return new Set(findings.map(({ check }) => check))
}

const changed = (changes: (dialect: Dialect) => Partial<Dialect>) =>
  DIALECTS.slice(0, 3).map((dialect): Dialect => ({ ...dialect, ...changes(dialect) }))

it.each<[string, readonly Dialect[], number]>([
  [
    'throws',
    changed(() => ({
      parse: () => {
        throw new RangeError('deep')
      },
    })),
    0,
  ],
  ['parses text in pieces like the whole text', changed(() => ({ streamParser: () => ({ push: () => [], end: () => [] }) })), 0],
  ['parses the calls that it wrote', changed(({ parse }) => ({ parse: (text) => ({ ...parse(text), toolCalls: [] }) })), 0],
  ['takes time linear in the length of the text', DIALECTS.slice(0, 3), 100_000],
])('finds a dialect that breaks the rule: %s', async (rule, dialects, now) => {
  expect(await faultsOf(dialects, 30, now)).toContain(rule)
})

it('finds nothing in our code', async () => {
  expect(await faultsOf(DIALECTS, process.env.X_FULL ? 2_000 : 300)).toEqual(new Set())
})
