import { setTimeout as sleep } from 'node:timers/promises'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createDbosEngine } from './index.ts'
import { namesOf } from './names.ts'
import { isNext, promote, versionKey } from './versions.ts'

const suffix = POSTGRES_MISSING === '' ? '' : ` (skipped: ${POSTGRES_MISSING})`
const UNLOCK = 'SELECT pg_advisory_unlock_all()'
let postgres: TestPostgres

describe.skipIf(POSTGRES_MISSING !== '')(`runs without a version on DBOS${suffix}`, () => {
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]()
  })

  it('are executed by an older version after a rollback, before the lease of its workers has passed', async () => {
    // The lease is longer than the timeout of this test.
    const options = { name: 'back', databaseUrl: postgres.url, sweepMs: 100, leaseMs: 3_600_000 }
    for (const version of ['1', '2'])
      await (await createDbosEngine<null, string>({ ...options, version, fn: async () => version })).close()
    await using client = await createDbosEngine<null, string>({ ...options, version: undefined })
    await using _worker = await createDbosEngine<null, string>({ ...options, version: '1', fn: async () => '1' })
    expect(await client.run('a', null)).toBe('1')
    expect(await client.run('b', null)).toBe('1')
  })

  it('go to the newest version that has workers, also when an older one has taken them meanwhile', async () => {
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
})

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
