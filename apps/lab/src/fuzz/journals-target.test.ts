/** Tests the `journals` target: it finds planted faults, and nothing in our code. */
import { fileJournal } from '@x/durable'
import { expect, it } from 'vitest'
import { run } from './fuzz.ts'
import { defineJournalsTarget, type OpenJournal } from './journals-target.ts'

/** A planted fault is found in this number of executions. */
const FEW = 60

async function faultsOf(open: OpenJournal, most: number): Promise<ReadonlySet<string>> {
  const { findings } = await run(defineJournalsTarget(open), 3, (executions) => executions >= most)
  return new Set(findings.map(({ check }) => check))
}

/** Opens a journal that changes step results. */
const changed =
  (change: (key: string, value: unknown) => unknown): OpenJournal =>
  async (path, options) => {
    const journal = await fileJournal(path, options)
    const run = journal.run.bind(journal)
    const changedRun = async (key: string, execute: () => Promise<unknown>) => change(key, await run(key, execute))
    return Object.assign(journal, { run: changedRun as typeof journal.run })
  }

it.each<[string, OpenJournal]>([
  ['a change is noticed', changed((key, value) => (key === 'id' ? 0 : value))],
  [
    'is refused with an error from the package',
    async (path, options) => {
      const journal = await fileJournal(path, options).catch(() => undefined)
      if (journal === undefined) throw new TypeError('no journal')
      return journal
    },
  ],
])('finds a journal that breaks the rule: %s', async (rule, open) => {
  expect(await faultsOf(open, FEW)).toContain(rule)
})

it('finds nothing in our code', async () => {
  expect(await faultsOf(fileJournal, process.env.X_FULL ? 1_000 : FEW)).toEqual(new Set())
})
