import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { StepsOptions } from '../../test/dbos/steps.ts'
import { bundleProgram, type TestProgram } from '../../test/program.ts'
import { createDbosEngine } from './index.ts'
import { namesOf } from './names.ts'
import { takeBackCrash } from './take-over.ts'

const suffix = POSTGRES_MISSING === '' ? '' : ` (skipped: ${POSTGRES_MISSING})`
/** Longer than any worker stalls on a busy machine. Tests end the sessions of a silent worker themselves. */
const LEASE_MS = 60_000
let postgres: TestPostgres
let db: pg.Pool
let program: TestProgram
let folder: string

describe.skipIf(POSTGRES_MISSING !== '')(`workers on DBOS in processes of their own${suffix}`, () => {
  beforeAll(async () => {
    postgres = await startPostgres()
    db = new pg.Pool({ connectionString: postgres.url })
    db.on('error', () => {})
    folder = mkdtempSync(join(tmpdir(), 'dbos-'))
    program = await bundleProgram('dbos/steps.ts')
  })
  afterAll(async () => {
    await db.end()
    await postgres[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  it('take over the runs of a killed worker', async () => {
    const { workers, finish, log } = await begin('killed', {})
    workers[0]?.kill('SIGKILL')
    await finish()
    // Interrupted steps are executed again, and recorded steps aren't.
    expect(begunAgain(log())).toEqual([])
  })

  it('take over the runs of a suspended worker, which records nothing more', async () => {
    const gate = join(folder, 'gate')
    const { workers, finish, log } = await begin('stalled', { gate })
    const [stalled] = workers
    const own = (words: string) => log().filter((line) => line.startsWith(`${stalled?.pid} `) && line.includes(words))
    // The worker is stopped inside a step. While it records a step, it would see a database error or find everything recorded.
    await until(() => own('begin 2').length > 0)
    stalled?.kill('SIGSTOP')
    await endSessions(stalled?.pid)
    // All runs were active until now.
    writeFileSync(gate, '')
    await finish()
    stalled?.kill('SIGCONT')
    await until(() => own('abort lost').length > 0)
    // The process continues as a worker under the same id.
    workers[1]?.kill('SIGKILL')
    const client = await createDbosEngine<number, number>({ databaseUrl: postgres.url, name: 'stalled' })
    onTestFinished(() => client.close())
    expect(await client.run('later', 1)).toBe(11)
  })

  it('count no crash of a worker that was only suspended, although its runs are still in the same step', async () => {
    const gate = join(folder, 'later')
    const { workers, client, finish, log } = await begin('resumed', { gate })
    const [stalled] = workers
    await until(() => log().some((line) => line.startsWith(`${stalled?.pid} `) && line.includes('begin 2')))
    stalled?.kill('SIGSTOP')
    await endSessions(stalled?.pid)
    await until(async () => ((await client.stats()).crashing ?? 0) > 0)
    stalled?.kill('SIGCONT')
    await until(async () => (await client.stats()).crashing === 0)
    writeFileSync(gate, '')
    await finish()
  })

  it('give up a run that blocks them again and again', async () => {
    const { client, finish, log } = await begin('blocked', { maxCrashes: 2 })
    await finish()
    const failure = { code: 'worker_crashed' }
    const ended = expect(client.run('blocks', -1)).rejects.toMatchObject({ code: 'run_failed', failure })
    const blocks = () => log().filter((line) => line.endsWith(' block'))
    const isFailed = async () => (await client.status('blocks'))?.state === 'failed'
    for (let block = 1; !(await isFailed()); block++) {
      await until(() => blocks().length >= block)
      await endSessions(Number.parseInt(blocks()[block - 1] ?? '', 10))
      // A worker stays blocked until the other one has taken over the run and is blocked too, or has given it up.
      await until(async () => blocks().length > block || (await isFailed()))
      writeFileSync(join(folder, `blocked-${block}`), '')
    }
    await ended
    await client.cancel('blocks')
    expect(await client.status('blocks')).toMatchObject({ state: 'failed', failure })
    await client.retry('blocks')
  })

  it('remain suspected of each other crash when one is taken back', async () => {
    const names = namesOf('counts')
    const client = await createDbosEngine<number, number>({ databaseUrl: postgres.url, name: 'counts', version: '1' })
    onTestFinished(() => client.close())
    const placesOf = async (status: string, attempts: number, queue: string) => {
      const id = `${status}-${attempts}`
      await client.start(id, 1)
      const update =
        'UPDATE dbos.workflow_status SET (status, recovery_attempts, queue_name) = ($2, $3, $4) WHERE workflow_uuid = $1'
      await db.query(update, [names.workflowId(id), status, attempts, queue])
      await takeBackCrash(db, names, names.workflowId(id))
      const query =
        'SELECT status, recovery_attempts::int AS attempts, queue_name FROM dbos.workflow_status WHERE workflow_uuid = $1'
      const { rows } = await db.query(query, [names.workflowId(id)])
      return [rows[0].status, rows[0].attempts, rows[0].queue_name]
    }
    const { queue, suspects } = names
    expect(await placesOf('PENDING', 1, queue)).toEqual(['PENDING', 1, queue])
    expect(await placesOf('PENDING', 2, queue)).toEqual(['PENDING', 1, queue])
    expect(await placesOf('PENDING', 4, suspects)).toEqual(['PENDING', 3, suspects])
    expect(await placesOf('ENQUEUED', 0, queue)).toEqual(['ENQUEUED', 0, queue])
    expect(await placesOf('ENQUEUED', 1, queue)).toEqual(['ENQUEUED', 0, queue])
    expect(await placesOf('DELAYED', 2, suspects)).toEqual(['ENQUEUED', 1, queue])
    expect(await placesOf('DELAYED', 3, suspects)).toEqual(['DELAYED', 2, suspects])
    expect(await placesOf('CANCELLED', 3, suspects)).toEqual(['CANCELLED', 3, suspects])
  })

  it('take over the runs of a closed worker at once', async () => {
    const { workers, finish, log } = await begin('closed', { sweepMs: 30_000 })
    workers[0]?.kill('SIGTERM')
    await finish()
    expect(repeatedEnds(log())).toEqual([])
    expect(log().some((line) => line.includes('unhandled'))).toBe(false)
  })
})

/** Starts two workers, and waits until they have started executing the runs. */
async function begin(name: string, times: Partial<StepsOptions>) {
  const file = join(folder, name)
  const options = { databaseUrl: postgres.url, name, log: file, sweepMs: 300, leaseMs: LEASE_MS, stepMs: 150, ...times }
  const workers: ChildProcess[] = [start(options), start(options)]
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  const client = await createDbosEngine<number, number>({ databaseUrl: postgres.url, name })
  onTestFinished(async () => {
    for (const worker of workers) worker.kill('SIGKILL')
    await Promise.all(
      workers
        .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
        .map((worker) => once(worker, 'exit')),
    )
    await client.close()
  })
  const log = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
  const ids: string[] = []
  const haveAll = (words: string) =>
    workers.every(({ pid }) => log().some((line) => line.startsWith(`${pid} `) && line.endsWith(words)))
  while (!haveAll('begin 0')) {
    const id = `run-${ids.length}`
    await client.start(id, 1)
    ids.push(id)
    await sleep(50)
  }
  await until(() => haveAll('end 1'))
  const finish = async () => {
    expect(await Promise.all(ids.map((id) => client.result(id)))).toEqual(ids.map(() => 11))
  }
  return { workers, client, finish, log }
}

function start(options: StepsOptions): ChildProcess {
  const worker = program.start(JSON.stringify(options))
  worker.stderr?.pipe(process.stderr)
  return worker
}

/** Ends the sessions of a silent worker, as the server does after the lease. */
async function endSessions(pid: number | undefined): Promise<void> {
  await db.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [String(pid)])
}

/** Returns steps that began again after they had been recorded. */
function begunAgain(lines: readonly string[]): readonly string[] {
  const words = lines.map((line) => line.slice(line.indexOf(' ')))
  return words.filter((line, index) => line.includes(' begin ') && words.slice(0, index).includes(line.replace('begin', 'given')))
}

/** Returns steps that were completed twice. */
function repeatedEnds(lines: readonly string[]): readonly string[] {
  const ends = lines.filter((line) => line.includes(' end ')).map((line) => line.slice(line.indexOf(' ')))
  return ends.filter((end, index) => ends.indexOf(end) !== index)
}

/** Waits for the condition. If it never holds, the test times out. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(25)
}
