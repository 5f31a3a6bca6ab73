/** Kills the processes of a program of 51 calls at random points, before and after its approval, and lets other processes go on. */
import { type ChildProcess, fork } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { seededRandom } from '../random-programs.ts'
import { type Outcome, openEngine, type Place, type WorkerSettings } from './engines.ts'

const KILLS = process.env.X_FULL ? 30 : 2
const OUTPUT = { sum: 1300, paid: { value: 26 } }

export interface KillHarness {
  readonly place: Place
  /** Returns a port for a worker that is about to start, if the engine's workers need one. */
  portOf?(): number
}

/** Bundles the worker, with the sandbox beside it as in the package. */
async function bundle(folder: string): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve('vite/package.json'))
  const { build } = require('esbuild') as { build(options: object): Promise<unknown> }
  const program = join(folder, 'program.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'program.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@x/source'],
    external: ['quickjs-wasi', 'ts-blank-space', 'acorn', '@dbos-inc/*', '@restatedev/*', 'pg'],
    logLevel: 'silent',
  })
  cpSync(resolve(import.meta.dirname, '../../src/sandbox'), join(folder, 'sandbox'), { recursive: true })
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'), 'junction')
  return program
}

/** A worker process that the test started. */
class Worker {
  readonly #process: ChildProcess
  /** Resolves to true if the process was killed by a signal. */
  readonly ended: Promise<boolean>
  /** Number of its steps and effects. */
  notes = 0

  constructor(program: string, settings: WorkerSettings) {
    this.#process = fork(program, [JSON.stringify(settings)], {
      // Uses only the baseline compilers, also for QuickJS, which is WebAssembly. Optimizing takes longer than the whole run.
      execArgv: ['--no-opt', '--liftoff-only'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let words = ''
    this.#process.stderr?.on('data', (piece) => {
      words += piece
    })
    this.#process.on('message', (notes) => {
      this.notes = Number(notes)
    })
    this.ended = new Promise((resolve, reject) => {
      this.#process.once('error', reject)
      this.#process.once('close', (_, signal) => {
        if (signal === 'SIGKILL') resolve(true)
        else reject(new Error(`A worker ended: ${words}`))
      })
    })
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.ended
  }
}

export function itSurvivesKills(name: string, open: () => Promise<KillHarness>): void {
  it(`${name}: a program of 51 calls that is killed at ${KILLS} random points has each effect once, and the outcome of an undisturbed run`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'code-killed-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const { place, portOf } = await open()
    const [program, effects] = [await bundle(folder), join(folder, 'effects')]
    writeFileSync(effects, '')
    const client = await openEngine(place)
    onTestFinished(() => client.close())
    const workers = new Set<Worker>()
    onTestFinished(async () => void (await Promise.all([...workers].map((worker) => worker.kill()))))
    /** Lets a worker run until `until` holds or it is killed. */
    const work = async (killAt: number, until: () => Promise<unknown>) => {
      const worker = new Worker(program, { place, effects, killAt, port: portOf?.() })
      workers.add(worker)
      const isKilled = await Promise.race([worker.ended, until().then(() => false)])
      await worker.kill()
      workers.delete(worker)
      return { isKilled, notes: worker.notes }
    }
    const rowsOf = (id: string) =>
      readFileSync(effects, 'utf8')
        .split('\n')
        .filter((row) => row.includes(` ${id}/`))
    /** Kills at the given notes, one in the half before the approval and one in the half after it. 0 means none. */
    const run = async (id: string, before: number, after: number) => {
      // Restate knows a run's function only when a worker has registered it.
      const waiting = async () => {
        await client.start(id, null)
        await expect.poll(async () => (await client.status(id))?.state).toBe('waiting')
      }
      let kills = before === 0 ? 0 : Number((await work(before, waiting)).isKilled)
      const first = await work(0, waiting)
      expect(rowsOf(id)).toEqual([])
      const [waits] = (await client.status(id))?.waitsFor ?? []
      await client.signal(id, waits?.name ?? '', true)
      if (after !== 0) kills += Number((await work(after, () => client.result(id))).isKilled)
      const second = await work(0, () => client.result(id))
      return { kills, notes: [first.notes, second.notes] as const, outcome: await client.result(id) }
    }

    const calm = await run('calm', 0, 0)
    expect(JSON.parse(calm.outcome.text)).toEqual({ result: OUTPUT })
    expect(rowsOf('calm').length).toBe(26)

    const random = seededRandom(Number(process.env.X_SEED))
    const pointIn = (notes: number) => 1 + Math.floor(random() * notes)
    let kills = 0
    let runs = 0
    let unknown = 0
    while (kills < KILLS) {
      const id = `killed-${++runs}`
      // Some runs are killed before the approval, some after it, some in both halves.
      const result = await run(id, random() < 0.5 ? pointIn(calm.notes[0]) : 0, pointIn(calm.notes[1]))
      kills += result.kills
      unknown += result.outcome.unknown
      assertOutcome(result.outcome, rowsOf(id), calm.outcome)
    }
    console.info(`${name}: ${kills} processes killed in ${runs} runs, ${unknown} payments of unknown outcome`)
  })
}

function assertOutcome({ text, unknown }: Outcome, rows: readonly string[], calm: Outcome): void {
  expect(new Set(rows).size).toBe(rows.length)
  if (unknown === 0) {
    expect(text).toBe(calm.text)
    expect(rows.length).toBe(26)
  } else {
    // The process died between the payment and its record: the program gets an error, and the payment isn't made again.
    expect(JSON.parse(text)).toEqual({ result: { ...OUTPUT, paid: { code: 'unknown_outcome' } } })
    expect(rows.filter((row) => row.startsWith('pay')).length).toBeLessThanOrEqual(1)
  }
}
