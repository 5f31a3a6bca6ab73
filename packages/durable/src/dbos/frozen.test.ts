import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { DurableRun } from '../engine.ts'
import type { DurableError } from '../errors.ts'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '../test-postgres.ts'
import { Connections } from './connections.ts'
import { createDbosEngine } from './index.ts'
import { migrate } from './migrate.ts'
import { newAsk } from './store.ts'
import { startProxy } from './test-proxy.ts'

const TIMES = { sweepMs: 200, leaseMs: 1000 }
const suffix = POSTGRES_MISSING === '' ? '' : ` (skipped: ${POSTGRES_MISSING})`
let postgres: TestPostgres

describe.skipIf(POSTGRES_MISSING !== '')(`a database that does not answer${suffix}`, () => {
  beforeAll(async () => {
    postgres = await startPostgres()
  }, 60_000)
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]()
  })

  it('is no reason to wait for ever: for an engine that looks', async () => {
    await using proxy = await startProxy(postgres.url)
    const options = { name: 'looks', databaseUrl: proxy.url, ...TIMES }
    const engine = await createDbosEngine(options)
    await engine.start('a', 1)
    proxy.freeze()
    const refused = { code: 'engine_failed' }
    const questions = [engine.status('a'), engine.list(), engine.start('b', 1), engine.cancel('a'), engine.signal('a', 'go', 1)]
    await inTime(Promise.all(questions.map((question) => expect(question).rejects.toMatchObject(refused))))
    await inTime(expect(createDbosEngine(options)).rejects.toMatchObject(refused))
    await inTime(engine.close())
  })

  it('is told, and no reason to wait for ever: for a worker', async () => {
    await using proxy = await startProxy(postgres.url)
    const problems: DurableError[] = []
    const engine = await createDbosEngine<null, unknown>({
      name: 'works',
      databaseUrl: proxy.url,
      fn: async (_, { steps }: DurableRun) => await steps.wait('go'),
      onProblem: (problem) => problems.push(problem),
      ...TIMES,
    })
    await engine.start('a', null)
    while ((await engine.status('a'))?.state !== 'waiting') await sleep(50)
    expect(problems).toEqual([])
    proxy.freeze()
    const result = engine.result('a').catch((cause) => cause)
    while (problems.length === 0) await sleep(50)
    expect(problems[0]).toMatchObject({ name: 'DurableError', code: 'engine_failed' })
    await inTime(engine.close())
    expect(await result).toMatchObject({ code: 'closed' })
    // The process has a worker again.
    const next = await createDbosEngine<null, unknown>({
      name: 'works',
      databaseUrl: postgres.url,
      fn: async () => 'done',
      ...TIMES,
    })
    expect(await next.run('b', null)).toBe('done')
    await next.close()
  })

  it('keeps nobody else from making the tables', async () => {
    await using proxy = await startProxy(postgres.url)
    const frozen = migrate(newPool(proxy.url), () => new Promise(() => {}), { leaseMs: 500 }).catch((cause) => cause)
    await sleep(700)
    const late = migrate(newPool(postgres.url), async () => {}, { leaseMs: 500, patienceMs: 300 })
    await expect(late).rejects.toMatchObject({ code: 'engine_failed' })
    proxy.freeze()
    let isDone = false
    await inTime(
      migrate(
        newPool(postgres.url),
        async () => {
          await sleep(1000)
          isDone = true
        },
        { leaseMs: 500 },
      ),
    )
    expect(isDone).toBe(true)
    await expect(inTime(frozen)).resolves.toBeInstanceOf(Error)
  })
})

it('a database that answers some is no reason to give the others up', async () => {
  const ask = newAsk(200)
  const questions = Array.from({ length: 12 }, (_, index) => ask(() => sleep(50 * index, index)))
  expect(await Promise.all(questions)).toHaveLength(12)
  await expect(ask(() => sleep(5000))).rejects.toMatchObject({ code: 'engine_failed' })
})

function newPool(databaseUrl: string): pg.Pool {
  const connections = new Connections({ pg, databaseUrl, leaseMs: 500, tell: () => {} })
  onTestFinished(() => connections.close())
  return connections.newPool(2)
}

/** Some times `leaseMs`. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const begin = performance.now()
  const given = await work
  expect(performance.now() - begin).toBeLessThan(4000)
  return given
}
