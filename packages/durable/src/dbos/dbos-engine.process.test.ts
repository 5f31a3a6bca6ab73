import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { itLeavesRuns } from '../../test/left-runs.ts'
import { bundleProgram } from '../../test/program.ts'
import type { RunFunction } from '../engine/engine.ts'
import { createDbosEngine, type DbosEngineOptions } from './index.ts'

let postgres: TestPostgres
let count = 0

const suffix = POSTGRES_MISSING === '' ? '' : ` (skipped: ${POSTGRES_MISSING})`

describe.skipIf(POSTGRES_MISSING !== '')(`runs on DBOS${suffix}`, () => {
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]()
  })

  it('are executed by an agent while the process has no free file descriptors', async () => {
    const program = await bundleProgram('no-descriptors.ts', true)
    expect(await program.runLimited(200, 'dbos', postgres.url)).toContain('{"answer":"4","unknown":0}')
  })

  itLeavesRuns((fn, options) => open({ name: newName(), fn, ...options }))

  it('belong to a name: another name may have different runs with the same ids', async () => {
    const [one, other] = [newName(), newName()]
    const worker = await open({ name: one, fn: async (input: number) => input })
    expect(await worker.run('a', 1)).toBe(1)
    await worker.close()
    const second = await open({ name: other, fn: async (input: number) => -input })
    expect(await second.status('a')).toBeUndefined()
    expect(await second.run('a', 2)).toBe(-2)
    expect((await second.list()).map(({ id }) => id)).toEqual(['a'])
    for (const limit of [-1, 0.5, Number.NaN])
      await expect(second.list({ limit })).rejects.toMatchObject({ code: 'invalid_options' })
    const client = await open<number, number>({ name: one })
    expect(await client.result('a')).toBe(1)
  })

  it('are not opened when another release of DBOS has changed its tables', async () => {
    const name = newName()
    await (await open({ name })).close()
    const client = new pg.Client(postgres.url)
    await client.connect()
    await client.query('ALTER TABLE dbos.workflow_status RENAME owner_xid TO owner')
    onTestFinished(async () => {
      await client.query('ALTER TABLE dbos.workflow_status RENAME owner TO owner_xid')
      await client.end()
    })
    const message = expect.stringMatching(/table "workflow_status" is not as expected: column "owner_xid" does not exist/)
    await expect(open({ name })).rejects.toMatchObject({ code: 'engine_failed', message })
  })

  it('wait and are listed as waiting, even without a worker', async () => {
    const name = newName()
    const fn: RunFunction<null, unknown> = async (_, { steps }) => await steps.wait('late', { tool: 'pay' })
    const worker = await open({ name, fn })
    await worker.start('a', null)
    await until(async () => (await worker.status('a'))?.state === 'waiting')
    await worker.close()
    const client = await open({ name })
    expect(await client.list({ state: 'waiting' })).toMatchObject([
      { id: 'a', waitsFor: [{ name: 'late', about: { tool: 'pay' } }] },
    ])
    expect(await client.list({ state: 'queued' })).toEqual([])
    await client.signal('a', 'late', undefined)
    expect(await client.status('a')).toMatchObject({ state: 'queued', waitsFor: [] })
  })

  it.each([
    ['go', ['a\ud83d', { 'b\u0000': '\\ud83d "name":"other"' }]],
    ['\u0000"\\\ud83d', undefined],
  ])('are listed by the decision %j, although PostgreSQL cannot decode every character', async (waitsFor, about) => {
    const engine = await open<null, unknown>({ name: newName(), fn: async (_, { steps }) => await steps.wait(waitsFor, about) })
    for (const id of ['a', 'b']) await engine.start(id, null)
    await until(async () => (await engine.list({ waitsFor })).length === 2)
    await engine.signal('a', waitsFor, '\u0000\ud83d')
    expect(await engine.result('a')).toBe('\u0000\ud83d')
    expect(await engine.list({ state: 'waiting' })).toMatchObject([{ id: 'b', waitsFor: [{ name: waitsFor }] }])
    for (const filter of [{ waitsFor: 'other' }, { state: 'queued' }, { state: 'running' }] as const)
      expect(await engine.list(filter)).toEqual([])
  })

  it('accept the first of concurrent decisions', async () => {
    const name = newName()
    const client = await open({ name })
    await client.start('a', null)
    const given = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => client.signal('a', 'go', index)))
    expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await open({ name, fn: async (_: null, { steps }) => await steps.wait('go') })
    expect(await client.result('a')).toBe(given.findIndex(({ status }) => status === 'fulfilled'))
  })

  it('are aborted when another process cancels them', async () => {
    const name = newName()
    let received: AbortSignal | undefined
    const fn: RunFunction<null, unknown> = async (_, { steps, signal }) => {
      received = signal
      return await steps.run('long', () => sleep(60_000, null, { signal }))
    }
    const worker = await open({ name, fn, sweepMs: 100 })
    const client = await open({ name })
    const ended = expect(worker.run('a', null)).rejects.toMatchObject({ code: 'run_cancelled' })
    await until(async () => received !== undefined)
    await client.cancel('a')
    await ended
    await until(async () => received?.aborted === true)
    expect(received?.reason).toMatchObject({ code: 'run_cancelled' })
  })

  it('continue when a caller stops waiting for them', async () => {
    const worker = await open<null, unknown>({ name: newName(), fn: async (_, { steps }) => await steps.wait('go') })
    const controller = new AbortController()
    const { signal } = controller
    await worker.start('a', null)
    const waits = [worker.run('a', null, { signal }), worker.result('a', { signal })].map((wait) => wait.catch((cause) => cause))
    await until(async () => (await worker.status('a'))?.state === 'waiting')
    controller.abort(new Error('enough'))
    expect(await Promise.all(waits)).toEqual([new Error('enough'), new Error('enough')])
    expect(getEventListeners(signal, 'abort')).toEqual([])
    await expect(worker.run('never', null, { signal })).rejects.toThrow('enough')
    expect(await worker.status('never')).toBeUndefined()
    await worker.signal('a', 'go', 1)
    expect(await worker.result('a')).toBe(1)
  })

  it('free their slot when they are cancelled, even if their function continues', async () => {
    const name = newName()
    const fn: RunFunction<string, string> = (input) => (input === 'stuck' ? new Promise(() => {}) : Promise.resolve(input))
    const worker = await open({ name, fn, concurrency: 1, sweepMs: 100 })
    await worker.start('a', 'stuck')
    await until(async () => (await worker.status('a'))?.state === 'running')
    await worker.start('b', 'free')
    await worker.cancel('a')
    expect(await worker.result('b')).toBe('free')
    const client = await open<string, string>({ name })
    await client.start('c', 'stuck')
    await until(async () => (await client.status('c'))?.state === 'running')
    await client.cancel('c')
    expect(await client.run('d', 'free')).toBe('free')
  })

  it('record steps that are requested inside other steps', async () => {
    const fn: RunFunction<number, number[]> = async (input, { steps }) =>
      await Promise.all(
        Array.from({ length: input }, async (_, index) => {
          await steps.run(`intent-${index}`, async () => index)
          return await steps.run(`call-${index}`, () => steps.run(`inner-${index}`, async () => index * 2))
        }),
      )
    const worker = await open({ name: newName(), fn })
    expect(await worker.run('a', 4)).toEqual([0, 2, 4, 6])
  })

  it('record a step that is requested by leftover work of another step', async () => {
    const name = newName()
    const fn: RunFunction<null, string> = async (_, { steps }) => {
      let late: Promise<string> | undefined
      await steps.run('a', async () => {
        late = new Promise((resolve) => setTimeout(() => resolve(steps.run('b', async () => 'b')), 50))
      })
      return (await late) ?? ''
    }
    const worker = await open({ name, fn })
    expect(await worker.run('a', null)).toBe('b')
    const db = await connect()
    const query = 'SELECT function_name FROM dbos.operation_outputs WHERE workflow_uuid = $1'
    expect((await db.query(query, [`${name}/a`])).rows).toEqual([{ function_name: 'steps' }, { function_name: 'steps' }])
  })

  it('are held when their records do not match the program', async () => {
    const name = newName()
    const first = await open<null, unknown>({
      name,
      fn: async (_, { steps }) => {
        await steps.run('a', async () => 1)
        return await steps.wait('go')
      },
    })
    await first.start('changed', null)
    await until(async () => (await first.status('changed'))?.state === 'waiting')
    await first.close()
    // A waiting run is executed once it is decided.
    const client = await open<null, unknown>({ name })
    await client.signal('changed', 'go', 1)
    const problems: unknown[] = []
    const onProblem = (problem: unknown) => problems.push(problem)
    const second = await open<null, unknown>({ name, fn: async (_, { steps }) => await steps.wait('go'), onProblem })
    await until(async () => (await second.status('changed'))?.state === 'held')
    const failure = { code: 'steps_mismatch', message: expect.stringContaining('DBOS.setEvent') }
    expect(await second.status('changed')).toMatchObject({ failure })
    await expect.poll(() => problems).toMatchObject([{ code: 'run_held', failure }])
  })

  it('keep the results of their steps while the database refuses records, until the engine is closed', async () => {
    const name = newName()
    await (await open({ name })).close()
    const db = await connect()
    await db.query(`CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$ LANGUAGE plpgsql`)
    const refuse = 'CREATE TRIGGER refuse BEFORE INSERT ON dbos.operation_outputs FOR EACH ROW EXECUTE FUNCTION refuse()'
    await db.query(refuse)
    const calls: string[] = []
    const fn: RunFunction<string, string> = async (input, { steps }) =>
      await steps.run('a', async () => {
        calls.push(input)
        return 'done'
      })
    const problems: unknown[] = []
    const onProblem = (problem: unknown) => problems.push(problem)
    const worker = await open({ name, fn, onProblem })
    const result = worker.run('a', 'first')
    await until(async () => problems.length > 1)
    expect(problems[0]).toMatchObject({ code: 'engine_failed', message: expect.stringContaining('not now') })
    await db.query('DROP TRIGGER refuse ON dbos.operation_outputs')
    expect(await result).toBe('done')
    await db.query(refuse)
    await worker.start('b', 'second')
    await until(async () => calls.includes('second'))
    await worker.close()
    expect(calls).toEqual(['first', 'second'])
    await db.query('DROP TRIGGER refuse ON dbos.operation_outputs')
    await open({ name, fn })
    const client = await open<string, string>({ name })
    expect(await client.result('b')).toBe('done')
  })

  it('are counted and listed as crashing when their worker has died since their last record', async () => {
    const name = newName()
    const client = await open<number, null>({ name, version: '1' })
    const places = ["'ENQUEUED', 0", "'ENQUEUED', 1", "'PENDING', 1", "'PENDING', 2", "'DELAYED', 3"]
    const db = await connect()
    for (const [index, place] of places.entries()) {
      await client.start(`run-${index}`, 1)
      const update = `UPDATE dbos.workflow_status SET (status, recovery_attempts) = (${place}) WHERE workflow_uuid = $1`
      await db.query(update, [`${name}/run-${index}`])
    }
    expect(await client.stats()).toMatchObject({ queued: 3, running: 2, waiting: 0, held: 0, crashing: 3 })
    const crashesOf = async (crashing?: boolean) => (await client.list({ crashing })).map(({ id, crashes }) => [id, crashes])
    const crashed = [
      ['run-4', 3],
      ['run-3', 1],
      ['run-1', 1],
    ]
    const others = [
      ['run-2', undefined],
      ['run-0', undefined],
    ]
    expect(await crashesOf(true)).toEqual(crashed)
    expect(await crashesOf(false)).toEqual(others)
    expect(await crashesOf()).toEqual(expect.arrayContaining([...crashed, ...others]))
  })

  it('are started no faster than the rate limit, which the next worker without one removes', async () => {
    const name = newName()
    let executed = 0
    const fn: RunFunction<number, null> = async () => {
      executed++
      return null
    }
    const client = await open<number, null>({ name, version: '1' })
    const ids = Array.from({ length: 9 }, (_, index) => `run-${index}`)
    for (const id of ids.slice(0, 5)) await client.start(id, 1)
    const limited = await open({ name, fn, rateLimit: { runs: 2, everyMs: 2000 } })
    await Promise.all(ids.slice(0, 5).map((id) => client.result(id)))
    // The limit applies to the times at which DBOS takes runs. They may be executed later.
    const query = 'SELECT started_at_epoch_ms::float8 AS time FROM dbos.workflow_status WHERE workflow_uuid LIKE $1 ORDER BY 1'
    const times = (await (await connect()).query(query, [`${name}/%`])).rows.map(({ time }) => time)
    expect(times).toHaveLength(5)
    for (const [index, time] of times.slice(2).entries()) expect(time - times[index]).toBeGreaterThanOrEqual(2000)
    await limited.close()
    const stopped = await open({ name, fn, rateLimit: { runs: 1, everyMs: 3_600_000 } })
    await stopped.close()
    for (const id of ids.slice(5)) await client.start(id, 1)
    await open({ name, fn })
    // With the limit of the worker before, these results would take an hour.
    await Promise.all(ids.slice(5).map((id) => client.result(id)))
    expect(executed).toBe(9)
  })

  it('are executed by one worker per process', async () => {
    const fn = async () => null
    const worker = await open({ name: newName(), fn })
    await expect(open({ name: newName(), fn })).rejects.toMatchObject({ code: 'invalid_options' })
    await worker.close()
    await open({ name: newName(), fn })
  })

  it('need an existing database', async () => {
    const databaseUrl = postgres.url.replace(/\/postgres$/, '/missing')
    for (const fn of [undefined, async () => null]) {
      const opening = createDbosEngine({ name: 'a', databaseUrl, fn })
      await expect(opening).rejects.toMatchObject({ code: 'engine_failed', message: expect.stringContaining('missing') })
    }
  })
})

describe('options of an engine on DBOS', () => {
  const databaseUrl = 'postgres://user@127.0.0.1:1/none'
  it.each([
    [{ name: 'a/b', databaseUrl }, '"name"'],
    [{ name: 'a', databaseUrl: 'mysql://user@host/none' }, '"databaseUrl"'],
    [{ name: 'a', databaseUrl, version: '' }, '"version"'],
    [{ name: 'a', databaseUrl, concurrency: 0 }, '"concurrency"'],
    [{ name: 'a', databaseUrl, sweepMs: 0 }, '"sweepMs"'],
    [{ name: 'a', databaseUrl, sweepMs: 100, leaseMs: 199 }, '"leaseMs"'],
    [{ name: 'a', databaseUrl, onProblem: 1 as never }, '"onProblem"'],
  ])('are refused: %j', async (options, words) => {
    const refused = { code: 'invalid_options', message: expect.stringContaining(words) }
    await expect(createDbosEngine(options)).rejects.toMatchObject(refused)
  })
})

async function open<Input, Output>(options: Omit<DbosEngineOptions<Input, Output>, 'databaseUrl'>) {
  const engine = await createDbosEngine({ databaseUrl: postgres.url, leaseMs: 60_000, ...options })
  onTestFinished(() => engine.close())
  return engine
}

async function connect(): Promise<pg.Client> {
  const db = new pg.Client({ connectionString: postgres.url })
  await db.connect()
  onTestFinished(() => db.end())
  return db
}

function newName(): string {
  count += 1
  return `test-${count}`
}

/** Waits for the condition. If it never holds, the test times out. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}
