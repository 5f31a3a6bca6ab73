/** Tests the `sql` target: it finds planted faults, and nothing in our code if PostgreSQL is installed. */
import { POSTGRES_MISSING } from '@x/test-postgres'
import { expect, it } from 'vitest'
import { run } from '../fuzz.ts'
import { createRandom } from '../random.ts'
import type { FuzzTarget } from '../target.ts'
import { randomSql } from './random-sql.ts'
import { defineSqlTarget, SECRET, type SqlSubject, sqlTarget } from './sql-target.ts'

const names = {
  functions: [
    { name: 'lower', args: ['text'] },
    { name: 'pg_read_file', args: ['text', 'bigint'] },
  ],
  secret: 'kept_table',
  file: 'kept.txt',
}

async function faultsOf(target: FuzzTarget, executions: number): Promise<readonly string[]> {
  const { findings } = await run(target, 3, (done) => done >= executions)
  return findings.map(({ check, why, text }) => `${check}: ${why} ${text}`)
}

const subject = (changes: Partial<SqlSubject>): SqlSubject => ({
  name: 'planted',
  names,
  query: async () => ({ rows: '[]' }),
  state: async () => 'the same',
  close: async () => {},
  ...changes,
})

let writes = 0
it.each<[string, SqlSubject]>([
  ['answers', subject({ query: () => Promise.reject(new Error('deep')) })],
  ['reads no protected file or table', subject({ query: async () => ({ rows: SECRET }) })],
  ['writes nothing', subject({ state: async () => `${writes++}` })],
])('finds a toolset that breaks the rule: %s', async (rule, planted) => {
  expect(
    (
      await faultsOf(
        defineSqlTarget(async () => [planted]),
        5,
      )
    ).join(),
  ).toContain(rule)
})

it('writes the same statements for the same seed', () => {
  const write = (seed: number) => {
    const random = createRandom(seed)
    return Array.from({ length: 50 }, () => randomSql(names, random)).join('\n')
  }
  expect(write(1)).toBe(write(1))
  expect(write(1)).toContain('pg_read_file')
})

it.skipIf(POSTGRES_MISSING)(`finds nothing in ours${POSTGRES_MISSING && ` (skipped: ${POSTGRES_MISSING})`}`, async () => {
  expect(await faultsOf(sqlTarget, process.env.X_FULL ? 300 : 10)).toEqual([])
})
