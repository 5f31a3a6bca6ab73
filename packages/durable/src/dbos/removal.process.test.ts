import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { RunFunction } from '../engine/engine.ts'
import { createDbosEngine } from './index.ts'
import { namesOf } from './names.ts'
import { readOptions } from './options.ts'
import { loadPackages } from './packages.ts'
import { readRuns } from './read-runs.ts'
import { removeExpired } from './removal.ts'
import { openStore } from './store.ts'

const suffix = POSTGRES_MISSING === '' ? '' : ` (skipped: ${POSTGRES_MISSING})`
const TABLES = `SELECT table_name, column_name FROM information_schema.columns
  WHERE table_schema = 'dbos' AND column_name IN ('workflow_uuid', 'destination_uuid')`
let postgres: TestPostgres
let db: pg.Pool

describe.skipIf(POSTGRES_MISSING !== '')(`removed runs on DBOS${suffix}`, () => {
  beforeAll(async () => {
    postgres = await startPostgres()
    db = new pg.Pool({ connectionString: postgres.url })
    db.on('error', () => {})
  })
  afterAll(async () => {
    await db.end()
    await postgres[Symbol.asyncDispose]()
  })

  it('leave no row behind', async () => {
    const fn: RunFunction<number, unknown> = async (input, { steps }) => [
      await steps.run('a', async () => input),
      await steps.wait('go'),
    ]
    await using engine = await createDbosEngine({ name: 'rows', databaseUrl: postgres.url, fn })
    await engine.start('a', 1)
    await engine.signal('a', 'go', 2)
    expect(await engine.result('a')).toEqual([1, 2])
    expect(await rowsOf('rows/a')).toBeGreaterThan(5)
    await engine.remove('a')
    expect(await rowsOf('rows/a')).toBe(0)
  })

  it('are kept if they are no longer ended when the statement reaches them, as after another removal and a start', async () => {
    await using client = await createDbosEngine<number, number>({
      name: 'restarted',
      databaseUrl: postgres.url,
      // Also the timeout of the query that waits for the lock.
      leaseMs: 300_000,
    })
    await client.start('a', 1)
    await client.cancel('a')
    const session = await db.connect()
    onTestFinished(() => session.release())
    const [change, row] = [
      'UPDATE dbos.workflow_status SET status = $1, completed_at = NULL WHERE workflow_uuid = $2',
      'restarted/a',
    ]
    await session.query('BEGIN')
    await session.query(change, ['ENQUEUED', row])
    const removed = client.remove('a').catch((cause) => cause.code)
    const waits = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
    await expect.poll(async () => (await db.query(waits)).rows.length).toBe(1)
    await session.query('COMMIT')
    expect(await removed).toBe('not_ended')
    expect(await client.status('a')).toMatchObject({ state: 'queued', input: 1 })
  })

  it('are kept if they were retried and have ended again since, although they were expired when the sweep began', async () => {
    const name = 'retried'
    const names = namesOf(name)
    await using client = await createDbosEngine<number, number>({ name, databaseUrl: postgres.url })
    for (const id of ['a', 'b']) {
      await client.start(id, 1)
      await client.cancel(id)
    }
    await db.query('UPDATE dbos.workflow_status SET completed_at = 1 WHERE name = $1', [names.workflow])
    const store = await openStore(await loadPackages(), names, readOptions({ name, databaseUrl: postgres.url }))
    const [sweeper, other] = await Promise.all([db.connect(), db.connect()])
    onTestFinished(async () => {
      for (const session of [sweeper, other]) session.release()
      await store.close()
    })
    await other.query('BEGIN')
    const change = `UPDATE dbos.workflow_status SET completed_at = (EXTRACT(EPOCH FROM now()) * 1000)::bigint WHERE workflow_uuid = $1`
    await other.query(change, [names.workflowId('a')])
    const swept = removeExpired(sweeper, store, names, 60_000)
    const waits = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
    await expect.poll(async () => (await db.query(waits)).rows.length).toBe(1)
    await other.query('COMMIT')
    await swept
    expect((await client.list()).map(({ id }) => id)).toEqual(['a'])
  })

  it('are replaced in a list if they are removed while it is read', async () => {
    const name = 'lists'
    const names = namesOf(name)
    await using client = await createDbosEngine<number, number>({ name, databaseUrl: postgres.url })
    for (const id of ['a', 'b', 'c', 'd']) await client.start(id, 1)
    for (const id of ['b', 'd']) await client.cancel(id)
    const store = await openStore(await loadPackages(), names, readOptions({ name, databaseUrl: postgres.url }))
    onTestFinished(() => store.close())
    const listWorkflows: typeof store.client.listWorkflows = async (options) => {
      for (const id of ['b', 'd']) await client.remove(id)
      return await store.client.listWorkflows(options)
    }
    const slow = { ...store, client: Object.assign(Object.create(store.client), { listWorkflows }) }
    expect((await readRuns(slow, names, { limit: 2 })).map(({ id }) => id)).toEqual(['c', 'a'])
  })

  it('are removed once by workers that do so at the same time, including runs that were given up', async () => {
    const name = 'race'
    const settings = readOptions({ name, databaseUrl: postgres.url })
    const names = namesOf(name)
    await using client = await createDbosEngine<number, number>({ name, databaseUrl: postgres.url })
    const ids = Array.from({ length: 1201 }, (_, index) => `run-${index}`)
    await Promise.all([...ids, 'queued'].map((id) => client.start(id, 1)))
    const ended = `UPDATE dbos.workflow_status SET completed_at = 1, status = (ARRAY['SUCCESS', 'ERROR', 'CANCELLED',
      'MAX_RECOVERY_ATTEMPTS_EXCEEDED'])[1 + random() * 3] WHERE name = $1 AND workflow_uuid <> $2`
    await db.query(ended, [names.workflow, names.workflowId('queued')])
    const store = await openStore(await loadPackages(), names, settings)
    const sessions = await Promise.all([1, 2, 3].map(() => db.connect()))
    onTestFinished(async () => {
      for (const session of sessions) session.release()
      await store.close()
    })
    expect(await removeExpired(sessions[0] as pg.Client, store, names, 2 * Date.now())).toBe(true)
    expect(await client.list({ limit: 5000 })).toHaveLength(1202)
    const sweep = async (session: pg.Client) => {
      while (!(await removeExpired(session, store, names, 1000)));
    }
    await Promise.all(sessions.map((session) => sweep(session as pg.Client)))
    expect((await client.list({ limit: 5000 })).map(({ id }) => id)).toEqual(['queued'])
  })
})

/** Returns the number of a run's rows in all tables of DBOS. */
async function rowsOf(workflowId: string): Promise<number> {
  let rows = 0
  for (const { table_name: table, column_name: column } of (await db.query(TABLES)).rows)
    rows += (await db.query(`SELECT 1 FROM dbos.${table} WHERE ${column} = $1`, [workflowId])).rows.length
  return rows
}
