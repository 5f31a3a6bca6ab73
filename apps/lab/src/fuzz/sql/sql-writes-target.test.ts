/** Tests the `sql-writes` target: it finds planted faults, and nothing in our code if PostgreSQL is installed. */
import { POSTGRES_MISSING } from '@x/test-postgres'
import type { SqlClient, SqlGuard } from '@x/toolset/database'
import { expect, it } from 'vitest'
import { run } from '../fuzz.ts'
import { createRandom } from '../random.ts'
import type { FuzzTarget } from '../target.ts'
import { randomWrite } from './random-sql-write.ts'
import { onPglite, sqlWritesTarget } from './sql-writes-subjects.ts'
import { defineSqlWritesTarget, SECRET, type WritesSubject } from './sql-writes-target.ts'

const names = { functions: [{ name: 'lower', args: ['text'] }], secret: 'kept.words', file: 'kept.txt' }

async function faultsOf(target: FuzzTarget, executions: number): Promise<string> {
  const { findings } = await run(target, 3, (done) => done >= executions)
  return findings.map(({ check, why, text }) => `${check}: ${why} ${text}`).join('\n')
}

const NOTHING = { calls: '', kept: '', granted: '' }

const subject = (changes: Partial<WritesSubject>): WritesSubject => ({
  name: 'planted',
  names,
  query: async () => ({ rows: '[]' }),
  execute: async () => ({ rows: '[]' }),
  watch: async () => NOTHING,
  reset: async () => {},
  close: async () => {},
  ...changes,
})

let writes = 0
const written = () => `${writes++}`

it.each<[string, WritesSubject]>([
  ['answers', subject({ execute: () => Promise.reject(new Error('deep')) })],
  ['reads no protected file or table', subject({ execute: async () => ({ rows: SECRET }) })],
  ['calls only listed functions', subject({ watch: async () => ({ ...NOTHING, calls: written() }) })],
  ['writes only what is granted', subject({ watch: async () => ({ ...NOTHING, kept: written() }) })],
  ['writes nothing in a query', subject({ watch: async () => ({ ...NOTHING, granted: written() }) })],
  [
    'undoes what fails',
    subject({ execute: async () => ({ reason: 'sql_error' }), watch: async () => ({ ...NOTHING, granted: written() }) }),
  ],
])('finds a toolset that breaks the rule: %s', async (rule, planted) => {
  expect(await faultsOf(defineSqlWritesTarget([async () => planted]), 20)).toContain(rule)
})

/** Creates a client that accepts every statement, and lets it end on a busy machine. */
function unguarded(client: SqlClient): SqlClient {
  return {
    ...client,
    guard: { ...(client.guard as SqlGuard), check: async () => {} },
    run: (statement) => client.run({ ...statement, timeoutMs: 600_000 }),
  }
}

it('notices on PGlite what an accepted statement does', async () => {
  const pglite = await onPglite(unguarded)
  const noticed: Record<string, readonly string[]> = {}
  for (const sql of [
    "UPDATE t SET label = 'a'",
    "UPDATE pg_proc SET procost = 2 WHERE proname = 'lower'",
    "CREATE FUNCTION made() RETURNS INTEGER LANGUAGE sql AS 'SELECT 1'",
    'GRANT ALL ON t TO PUBLIC',
    'ALTER TABLE t ENABLE ROW LEVEL SECURITY',
    "COPY t TO '/tmp/made-by-fuzz'",
    "SELECT shout('a')",
    "SELECT 'a' === 'b'",
    "INSERT INTO t VALUES (1, 'a'::loud)",
  ]) {
    const before = await pglite.watch()
    await pglite.execute(sql)
    const after = await pglite.watch()
    noticed[sql] = (['calls', 'kept', 'granted'] as const).filter((part) => after[part] !== before[part])
    await pglite.reset()
  }
  await pglite.execute(`INSERT INTO t VALUES (9, pg_read_file('kept.txt'))`)
  expect((await pglite.watch()).granted).toContain(SECRET)
  await pglite.close()
  expect(noticed).toEqual({
    "UPDATE t SET label = 'a'": ['granted'],
    "UPDATE pg_proc SET procost = 2 WHERE proname = 'lower'": ['kept'],
    "CREATE FUNCTION made() RETURNS INTEGER LANGUAGE sql AS 'SELECT 1'": ['kept'],
    'GRANT ALL ON t TO PUBLIC': ['kept'],
    'ALTER TABLE t ENABLE ROW LEVEL SECURITY': ['kept'],
    "COPY t TO '/tmp/made-by-fuzz'": ['kept'],
    "SELECT shout('a')": ['calls'],
    "SELECT 'a' === 'b'": ['calls'],
    "INSERT INTO t VALUES (1, 'a'::loud)": ['calls'],
  })
})

it('writes the same statements for the same seed', () => {
  const write = (seed: number) => {
    const random = createRandom(seed)
    return Array.from({ length: 50 }, () => randomWrite(names, random)).join('\n')
  }
  expect(write(1)).toBe(write(1))
  expect(write(1)).toContain('pg_')
})

it.skipIf(POSTGRES_MISSING)(`finds nothing in ours${POSTGRES_MISSING && ` (skipped: ${POSTGRES_MISSING})`}`, async () => {
  expect(await faultsOf(sqlWritesTarget, process.env.X_FULL ? 300 : 10)).toBe('')
})
