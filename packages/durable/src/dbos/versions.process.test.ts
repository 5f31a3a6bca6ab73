import { setTimeout as sleep } from 'node:timers/promises'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RunFunction } from '../engine/engine.ts'
import type { DurableError } from '../errors.ts'
import { createDbosEngine } from './index.ts'
import { namesOf } from './names.ts'
import { isNext, promote, versionKey } from './versions.ts'

const suffix = POSTGRES_MISSING === '' ? '' : ` (skipped: ${POSTGRES_MISSING})`
const HOUR = 3_600_000
const UNLOCK = 'SELECT pg_advisory_unlock_all()'
let postgres: TestPostgres

describe.skipIf(POSTGRES_MISSING !== '')(`runs and their versions on DBOS${suffix}`, () => {
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]()
  })

  it('are executed by an older version after a rollback, if started without one, before the lease of its workers has passed', async () => {
    // The lease is longer than the timeout of this test.
    const options = { name: 'back', databaseUrl: postgres.url, sweepMs: 100, leaseMs: HOUR }
    for (const version of ['1', '2'])
      await (await createDbosEngine<null, string>({ ...options, version, fn: async () => version })).close()
    await using client = await createDbosEngine<null, string>({ ...options, version: undefined })
    await using _worker = await createDbosEngine<null, string>({ ...options, version: '1', fn: async () => '1' })
    expect(await client.run('a', null)).toBe('1')
    expect(await client.run('b', null)).toBe('1')
  })

  it('go to the newest version that has workers, if started without one, also when an older one has taken them meanwhile', async () => {
    const names = namesOf('order')
    const versions = ['1', '2', '3'].map((version) => names.version(version))
    await (await createDbosEngine({ name: 'order', databaseUrl: postgres.url })).close()
    const session = await connect()
    for (const version of versions) {
      const statement = `INSERT INTO dbos.application_versions (version_id, version_name, application_name) VALUES ($1, $1, $2)`
      await session.query(statement, [version, names.application])
      await sleep(2)
    }
    /** Each version that has workers asks, as its workers do. */
    const nextOf = async (...asking: string[]) => {
      const next: string[] = []
      for (const version of asking) if (await isNext(session, names, names.version(version))) next.push(version)
      return next
    }
    const [, second, third] = await Promise.all(versions.map(connectAsWorker))
    // Runs without a version already go to version 3.
    expect(await nextOf('1', '2', '3')).toEqual([])
    await third?.query(UNLOCK)
    expect(await nextOf('1', '2')).toEqual(['2'])
    await promote(session, names, names.version('2'))
    expect(await nextOf('1', '2')).toEqual([])
    await second?.query(UNLOCK)
    expect(await nextOf('1')).toEqual(['1'])
    await promote(session, names, names.version('1'))
    expect(await nextOf('1')).toEqual([])
    await connectAsWorker(names.version('3'))
    expect(await nextOf('1', '3')).toEqual(['3'])
  })

  it('are executed only by workers of their version', async () => {
    const options = { name: 'own', databaseUrl: postgres.url, sweepMs: 100 }
    const fn: RunFunction<number, string> = async (_, { steps }) => `${await steps.wait('go')}`
    await using client = await createDbosEngine<number, string>(options)
    {
      await using first = await createDbosEngine({ ...options, fn, version: '1' })
      await first.start('old', 1)
      await expect.poll(async () => (await first.status('old'))?.state).toBe('waiting')
    }
    await client.signal('old', 'go', 'old')
    await queueSince('own/old', HOUR)
    {
      const problems: DurableError[] = []
      const onProblem = (problem: DurableError) => problems.push(problem)
      await using _second = await createDbosEngine({ ...options, fn: async () => 'new', version: '2', onProblem })
      expect(await client.run('new', 1)).toBe('new')
      await expect.poll(() => problems.map(({ code }) => code)).toContain('no_worker')
      await sleep(1000)
      expect(await client.status('old')).toMatchObject({ state: 'queued' })
    }
    // Version 2 is rolled back. A run that was started without a version must not be abandoned.
    await client.start('unversioned', 1)
    await client.signal('unversioned', 'go', 'on')
    await using third = await createDbosEngine({ ...options, fn, version: '1' })
    expect(await third.result('old')).toBe('old')
    expect(await client.result('unversioned')).toBe('on')
  })

  it('report their version, and are reported once when no worker of that version takes them', async () => {
    const options = { name: 'reports', databaseUrl: postgres.url, sweepMs: 100 }
    await using client = await createDbosEngine<number, number>({ ...options, version: '1' })
    await client.start('old', 1)
    await queueSince('reports/old', HOUR)
    {
      const problems: DurableError[] = []
      const onProblem = (problem: DurableError) => problems.push(problem)
      const fn = async (input: number) => input
      await using worker = await createDbosEngine({ ...options, fn, version: '2', onProblem })
      expect(await worker.run('new', 2)).toBe(2)
      const idsOf = async (version: string) => (await client.list({ version })).map(({ id }) => id)
      expect([await idsOf('1'), await idsOf('2'), await idsOf('3')]).toEqual([['old'], ['new'], []])
      expect((await client.list()).map(({ id, version }) => [id, version])).toEqual([
        ['new', '2'],
        ['old', '1'],
      ])
      const reported = () => problems.filter(({ code }) => code === 'no_worker').map(({ message }) => message)
      const words = (version: string) => expect.stringContaining(`1 run of version "${version}"`)
      await expect.poll(reported).toEqual([words('1')])
      // The worker looks once per lease. The look that finds another version also finds the first one again.
      await using other = await createDbosEngine<number, number>({ ...options, version: '3' })
      await other.start('other', 1)
      await queueSince('reports/other', HOUR)
      const now = performance.now.bind(performance)
      vi.spyOn(performance, 'now').mockImplementation(() => now() + HOUR)
      onTestFinished(() => void vi.restoreAllMocks())
      await expect.poll(reported).toEqual([words('1'), words('3')])
    }
    await using old = await createDbosEngine({ ...options, fn: async (input: number) => -input, version: '1' })
    expect(await old.result('old')).toBe(-1)
  })
})

/** Makes a queued run look as if it had been queued for this long. */
async function queueSince(workflowId: string, ms: number): Promise<void> {
  const update = 'UPDATE dbos.workflow_status SET updated_at = updated_at - $2 WHERE workflow_uuid = $1'
  await (await connect()).query(update, [workflowId, ms])
}

async function connectAsWorker(version: string): Promise<pg.Client> {
  const session = await connect()
  await session.query('SELECT pg_advisory_lock_shared($1)', [versionKey(version)])
  return session
}

async function connect(): Promise<pg.Client> {
  const session = new pg.Client(postgres.url)
  await session.connect()
  onTestFinished(() => session.end())
  return session
}
