import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '../test-postgres.ts'
import { bundleProgram, type TestProgram } from '../test-program.ts'
import { createDbosEngine } from './index.ts'
import type { StepsOptions } from './test-steps.ts'

const RUNS = ['a', 'b', 'c', 'd', 'e', 'f']
const suffix = POSTGRES_MISSING === '' ? '' : ` (skipped: ${POSTGRES_MISSING})`
let postgres: TestPostgres
let program: TestProgram
let folder: string

describe.skipIf(POSTGRES_MISSING !== '')(`workers on DBOS in processes of their own${suffix}`, () => {
  beforeAll(async () => {
    postgres = await startPostgres()
    folder = mkdtempSync(join(tmpdir(), 'dbos-'))
    program = await bundleProgram('dbos/test-steps.ts')
  }, 60_000)
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  it('take over what a killed one had', async () => {
    const { workers, finish, log } = await begin('killed', { leaseMs: 60_000 })
    workers[0]?.kill('SIGKILL')
    await finish()
    // Steps under way when it was killed are executed again, and none that was recorded.
    expect(begunAgain(log())).toEqual([])
  }, 60_000)

  it('take over what one had that does not answer, which records nothing more', async () => {
    const { workers, finish, log } = await begin('stalled', { leaseMs: 1000 })
    const [stalled] = workers
    stalled?.kill('SIGSTOP')
    await finish()
    stalled?.kill('SIGCONT')
    const own = (words: string) => log().filter((line) => line.startsWith(`${stalled?.pid} `) && line.includes(words))
    await until(() => own('abort lost').length > 0)
    // It goes on as a worker, under the same id.
    workers[1]?.kill('SIGKILL')
    const client = await createDbosEngine<number, number>({ databaseUrl: postgres.url, name: 'stalled' })
    onTestFinished(() => client.close())
    expect(await client.run('later', 1)).toBe(11)
  }, 60_000)

  it('take over at once what one had that was closed', async () => {
    const { workers, finish, log } = await begin('closed', { sweepMs: 30_000, leaseMs: 60_000 })
    workers[0]?.kill('SIGTERM')
    await finish()
    expect(repeatedEnds(log())).toEqual([])
    expect(log().some((line) => line.includes('unhandled'))).toBe(false)
  }, 60_000)

  it('outlive the server', async () => {
    const { finish, log } = await begin('server', { leaseMs: 10_000 })
    await postgres.kill()
    await sleep(500)
    await postgres.start()
    await finish()
    expect(log().some((line) => line.includes('unhandled'))).toBe(false)
  }, 60_000)
})

/** Two workers that have begun with the runs. */
async function begin(name: string, times: Partial<StepsOptions>) {
  const file = join(folder, name)
  const options = { databaseUrl: postgres.url, name, log: file, sweepMs: 300, leaseMs: 1000, stepMs: 150, ...times }
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
  const log = () => readFileSync(file, 'utf8').trim().split('\n')
  for (const id of RUNS) {
    await client.start(id, 1)
    await sleep(40)
  }
  await until(() => workers.every(({ pid }) => log().some((line) => line.startsWith(`${pid} `) && line.endsWith('end 1'))))
  const finish = async () => {
    expect(await Promise.all(RUNS.map((id) => client.result(id)))).toEqual(RUNS.map(() => 11))
  }
  return { workers, client, finish, log }
}

function start(options: StepsOptions): ChildProcess {
  const worker = program.start(JSON.stringify(options))
  worker.stderr?.pipe(process.stderr)
  return worker
}

/** Steps that began again after they were recorded. */
function begunAgain(lines: readonly string[]): readonly string[] {
  const words = lines.map((line) => line.slice(line.indexOf(' ')))
  return words.filter((line, index) => line.includes(' begin ') && words.slice(0, index).includes(line.replace('begin', 'given')))
}

/** Steps that were brought to their end twice. */
function repeatedEnds(lines: readonly string[]): readonly string[] {
  const ends = lines.filter((line) => line.includes(' end ')).map((line) => line.slice(line.indexOf(' ')))
  return ends.filter((end, index) => ends.indexOf(end) !== index)
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    try {
      if (holds()) return
    } catch {
      // Nothing was written yet.
    }
    await sleep(25)
  }
  throw new Error('It never held.')
}
