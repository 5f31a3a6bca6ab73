import { setTimeout as sleep } from 'node:timers/promises'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startProxy } from '../../test/dbos/proxy.ts'
import type { DurableRun } from '../engine/engine.ts'
import type { DurableError } from '../errors.ts'
import { Connections } from './connections.ts'
import { createDbosEngine } from './index.ts'
import { migrate } from './migrate.ts'
import { newAsk } from './store.ts'

/** Before the database is frozen, a query on a busy machine must not take longer. */
const LEASE_MS = 5000
const TIMES = { sweepMs: 200, leaseMs: LEASE_MS }
const suffix = POSTGRES_MISSING === '' ? '' : ` (skipped: ${POSTGRES_MISSING})`
let postgres: TestPostgres | undefined
const url = () => postgres?.url ?? ''

beforeAll(async () => {
  if (POSTGRES_MISSING === '') postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]()
})

describe.skipIf(POSTGRES_MISSING !== '')(`a database that does not answer${suffix}`, () => {
  it('makes a client fail instead of waiting forever', async () => {
    await using proxy = await startProxy(url())
    const options = { name: 'looks', databaseUrl: proxy.url, ...TIMES }
    const engine = await createDbosEngine(options)
    await engine.start('a', 1)
    proxy.freeze()
    const refused = { code: 'engine_failed' }
    const questions = [engine.status('a'), engine.list(), engine.start('b', 1), engine.cancel('a'), engine.signal('a', 'go', 1)]
    await Promise.all(questions.map((question) => expect(question).rejects.toMatchObject(refused)))
    await expect(createDbosEngine(options)).rejects.toMatchObject(refused)
    await engine.close()
  })

  it('makes the health check of a worker fail in time', async () => {
    await using proxy = await startProxy(url())
    const options = { name: 'health', databaseUrl: proxy.url, fn: async () => null, sweepMs: 200, leaseMs: 30_000 }
    const engine = await createDbosEngine(options)
    // On a busy machine, the first answers may take longer than the limit.
    await expect.poll(() => engine.health()).toEqual({ ok: true })
    proxy.freeze()
    const message = "The storage doesn't answer: no answer within 5000 ms"
    expect(await engine.health()).toMatchObject({ ok: false, problem: { code: 'engine_failed', message } })
    await proxy[Symbol.asyncDispose]()
    await engine.close()
  })

  it('is reported by a worker, which does not wait forever', async () => {
    await using proxy = await startProxy(url())
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
    // A busy machine may have stalled for a lease.
    problems.splice(0)
    proxy.freeze()
    const result = engine.result('a').catch((cause) => cause)
    while (problems.length === 0) await sleep(50)
    expect(problems[0]).toMatchObject({ name: 'DurableError', code: 'engine_failed' })
    await engine.close()
    expect(await result).toMatchObject({ code: 'closed' })
    // The process can have another worker now.
    const problemsOfNext: DurableError[] = []
    const next = await createDbosEngine<null, unknown>({
      name: 'works',
      databaseUrl: url(),
      fn: async () => 'done',
      onProblem: (problem) => problemsOfNext.push(problem),
    })
    expect(await next.run('b', null)).toBe('done')
    expect(problemsOfNext).toEqual([])
    await next.close()
  })

  it.each(['kept', 'lost'] as const)(
    'gets the result of a step that ended meanwhile, if what was sent to it was %s',
    async (data) => {
      await using proxy = await startProxy(url())
      const options = { name: `keeps-${data}`, ...TIMES }
      const problems: DurableError[] = []
      let calls = 0
      const worker = await createDbosEngine<null, number>({
        ...options,
        databaseUrl: proxy.url,
        fn: async (_, { steps }) =>
          await steps.run('pay', async () => {
            proxy.freeze()
            return ++calls
          }),
        onProblem: (problem) => problems.push(problem),
      })
      await using client = await createDbosEngine<null, number>({ name: options.name, databaseUrl: url() })
      await client.start('a', null)
      while (!problems.some(({ message }) => message.includes('cannot record'))) await sleep(50)
      proxy.thaw(data)
      expect(await client.result('a')).toBe(1)
      expect(calls).toBe(1)
      await worker.close()
    },
  )

  it('does not prevent others from creating the tables', async () => {
    await using proxy = await startProxy(url())
    let hasLock: () => void = () => {}
    const locked = new Promise<void>((resolve) => {
      hasLock = resolve
    })
    const never = () => {
      hasLock()
      return new Promise<void>(() => {})
    }
    const frozen = migrate(newPool(proxy.url, LEASE_MS), never, { leaseMs: LEASE_MS }).catch((cause) => cause)
    await locked
    proxy.freeze()
    await migrate(newPool(url()), async () => {}, { leaseMs: LEASE_MS })
    await expect(frozen).resolves.toBeInstanceOf(Error)
  })
})

it.skipIf(POSTGRES_MISSING !== '')(
  `one process at a time creates the tables, also for longer than a lease${suffix}`,
  async () => {
    // The default, which a busy machine rarely exceeds.
    const leaseMs = 10_000
    const work = async () => {
      await sleep(leaseMs + 500)
      const late = migrate(newPool(url()), async () => {}, { leaseMs, patienceMs: 300 })
      await expect(late).rejects.toMatchObject({ code: 'engine_failed' })
    }
    await migrate(newPool(url()), work, { leaseMs })
  },
)

describe.skipIf(POSTGRES_MISSING !== '')(`a process that is suspended while it creates the tables${suffix}`, () => {
  const leaseMs = 1000
  /** Blocks the process for longer than the lease, so that the server ends the session that holds the lock. */
  const standStill = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * leaseMs)

  it.each([
    ['succeeds if they were created anyway', 1],
    ['creates them again if that failed', 2],
  ])('%s', async (_, expected) => {
    let runs = 0
    const work = async () => {
      if (runs++ > 0) return
      standStill()
      await isAlone(url())
      if (expected === 2) throw new Error('Another process makes the same table.')
    }
    await migrate(newPool(url()), work, { leaseMs })
    expect(runs).toBe(expected)
  })

  it.each(['SELECT pg_try_advisory_lock($1) AS taken', 'SELECT 1'])('tries again when "%s" was interrupted', async (under) => {
    const pool = newPool(url())
    pool.options.query_timeout = leaseMs
    let stalls = 0
    pool.on('connect', (session) => {
      const query = session.query.bind(session) as (...all: unknown[]) => unknown
      session.query = ((...all: unknown[]) => {
        const asked = query(...all)
        if (all[0] === under && stalls++ === 0) standStill()
        return asked
      }) as typeof session.query
    })
    const isWorking = under === 'SELECT 1'
    let runs = 0
    const work = async () => {
      if (runs++ > 0 || !isWorking) return
      while (stalls === 0) await sleep(10)
      await isAlone(url())
      throw new Error('Another process makes the same table.')
    }
    await migrate(pool, work, { leaseMs })
    expect(runs).toBe(isWorking ? 2 : 1)
  })

  it('rejects with the error of the work when its session was not lost', async () => {
    const work = () => Promise.reject(new Error('no such role'))
    await expect(migrate(newPool(url()), work, { leaseMs })).rejects.toThrow('no such role')
  })
})

it('slow queries are not abandoned while the database answers others', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const ask = newAsk(200)
  const answer = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  const questions = Promise.all(Array.from({ length: 12 }, (_, index) => ask(() => answer(50 * index))))
  await vi.advanceTimersByTimeAsync(550)
  expect(await questions).toHaveLength(12)
  const refused = expect(ask(() => answer(5000))).rejects.toMatchObject({ code: 'engine_failed' })
  await vi.advanceTimersByTimeAsync(200)
  await refused
})

it('queries are not abandoned after a stall of this process', async () => {
  const ask = newAsk(100)
  const question = ask(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve, 'answer'))))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  expect(await question).toBe('answer')
})

/** Resolves when no session holds the lock and this process has been notified. */
async function isAlone(databaseUrl: string): Promise<void> {
  const pool = newPool(databaseUrl)
  const locks = async () => (await pool.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")).rowCount
  while ((await locks()) !== 0) await sleep(50)
}

function newPool(databaseUrl: string, leaseMs = 60_000): pg.Pool {
  const connections = new Connections({ pg, databaseUrl, leaseMs, report: () => {} })
  onTestFinished(() => connections.close())
  return connections.newPool(2)
}
