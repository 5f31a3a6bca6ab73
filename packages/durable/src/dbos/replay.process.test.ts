/** Counts what a worker asks the database when it replays a run, and when it takes one over. */
import { setTimeout as sleep } from 'node:timers/promises'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { DurableRun } from '../engine/engine.ts'
import { createDbosEngine, type DbosEngineOptions } from './index.ts'
import { namesOf } from './names.ts'
import { lockKey } from './owner-lock.ts'

const suffix = POSTGRES_MISSING === '' ? '' : ` (skipped: ${POSTGRES_MISSING})`
let postgres: TestPostgres

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly answer: Promise<pg.QueryResult>
}

describe.skipIf(POSTGRES_MISSING !== '')(`a worker's queries on DBOS${suffix}`, () => {
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]()
  })

  it('replay a run with one query for a hundred records', async () => {
    const executed: string[] = []
    const fn = async (_: null, { steps }: DurableRun) => {
      const part = async (name: string) => {
        for (let index = 0; index < 120; index++)
          await steps.run(`${name}-${index}`, async () => {
            executed.push(`${name}-${index}`)
          })
        return await steps.wait(`after-${name}`)
      }
      return [await part('one'), await part('two')]
    }
    for (const name of ['one', 'two']) {
      const worker = await open({ name: 'replay', fn })
      if (name === 'one') await worker.start('a', null)
      else await worker.signal('a', 'after-one', 1)
      while (!(await worker.list({ state: 'waiting', waitsFor: `after-${name}` })).length) await sleep(20)
      await worker.close()
    }
    const statements = watchStatements()
    const worker = await open<null, unknown>({ name: 'replay', fn })
    await worker.signal('a', 'after-two', 2)
    expect(await worker.result('a')).toEqual([1, 2])
    expect(executed).toHaveLength(240)
    // Three pages for 240 records, and the queries of DBOS for the first record, the decisions, and the list of pending ones.
    const reads = statements.filter(({ text }) => /SELECT[^;]*FROM "?dbos"?\.operation_outputs/.test(text))
    expect(reads.length).toBeLessThan(15)
  })

  it('take over a run at the second look after the server has ended the silent session of its worker', async () => {
    const times = { sweepMs: 100, leaseMs: 60_000 }
    const client = await open<number, number>({ name: 'stalled', version: '1' })
    await client.start('a', 1)
    const session = new pg.Client(postgres.url)
    await session.connect()
    await session.query('SELECT pg_advisory_lock($1)', [lockKey('silent')])
    const place = "(status, executor_id, recovery_attempts) = ('PENDING', 'silent', 1)"
    await session.query(`UPDATE dbos.workflow_status SET ${place} WHERE workflow_uuid = 'stalled/a'`)
    const statements = watchStatements()
    await open({ name: 'stalled', fn: async (input: number) => -input, ...times })
    const looks = () =>
      statements.filter(({ text, values }) => text.includes('pg_try_advisory_lock') && values[0] === lockKey('silent'))
    while (looks().length < 4) await sleep(20)
    expect(await client.status('a')).toMatchObject({ state: 'running' })
    await session.end()
    expect(await client.result('a')).toBe(-1)
    const answers = await Promise.all(looks().map(({ answer }) => answer))
    expect(answers.filter(({ rows }) => rows[0].taken)).toHaveLength(2)
    // Every look is also the sign of life of the worker's own session, which the server ends `leaseMs` after the last one.
    expect(statements.map(({ text }) => text)).toContain('SET idle_session_timeout = 60000')
  })
})

it.skipIf(POSTGRES_MISSING !== '')(`an idle worker on DBOS asks for suspects only while there are any${suffix}`, async () => {
  await using server = await startPostgres()
  const { workflow, queue, suspects } = namesOf('idle')
  const options = { name: 'idle', databaseUrl: server.url, sweepMs: 100 }
  await using client = await createDbosEngine<null, string>({ ...options, version: '1' })
  await client.start('a', null)
  const db = new pg.Client(server.url)
  await db.connect()
  await db.query('UPDATE dbos.workflow_status SET queue_name = $1', [suspects])
  // Before the server stops, which would end the connection with an error.
  await db.end()
  const statements = watchStatements()
  const asked = (name: string) =>
    statements.filter(({ text, values }) => text.includes('FOR UPDATE') && values.includes(name)).length
  await using _worker = await createDbosEngine({ ...options, fn: async () => workflow })
  expect(await client.result('a')).toBe('idle')
  expect(asked(suspects)).toBeGreaterThan(0)
  // It asks for others every 100 ms, and would ask for suspects every 200 ms. DBOS looks every second for queues to ask.
  let [others, seen] = [asked(queue), asked(suspects)]
  while (asked(queue) < others + 15) {
    await sleep(20)
    if (asked(suspects) > seen) [others, seen] = [asked(queue), asked(suspects)]
  }
})

/** Collects the statements of this process from now on. */
function watchStatements(): readonly Statement[] {
  const statements: Statement[] = []
  const { query } = pg.Client.prototype
  const watched = function (this: pg.Client, text: string, values: readonly unknown[] = [], ...rest: readonly unknown[]) {
    const answer = (query as (...all: readonly unknown[]) => Promise<pg.QueryResult>).call(this, text, values, ...rest)
    statements.push({ text, values, answer })
    return answer
  }
  pg.Client.prototype.query = watched as typeof query
  onTestFinished(() => {
    pg.Client.prototype.query = query
  })
  return statements
}

async function open<Input, Output>(options: Omit<DbosEngineOptions<Input, Output>, 'databaseUrl'>) {
  const engine = await createDbosEngine({ databaseUrl: postgres.url, ...options })
  onTestFinished(() => engine.close())
  return engine
}
