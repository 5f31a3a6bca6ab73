/** Kills the process of a program of 51 calls at random points, before and after its approval, and lets another process go on. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { seededRandom } from '../test/random-programs.ts'

const KILLS = process.env.X_FULL ? 30 : 3

/** Bundles the process, with the sandbox beside it as in the package. */
async function bundle(folder: string): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve('vite/package.json'))
  const { build } = require('esbuild') as { build(options: object): Promise<unknown> }
  const program = join(folder, 'program.mjs')
  await build({
    entryPoints: [resolve(import.meta.dirname, '../test/killed/program.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@x/source'],
    external: ['quickjs-wasi', 'ts-blank-space', 'acorn'],
    logLevel: 'silent',
  })
  cpSync(join(import.meta.dirname, 'sandbox'), join(folder, 'sandbox'), { recursive: true })
  symlinkSync(resolve(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'), 'junction')
  return program
}

interface Report {
  readonly text?: string
  readonly unknown?: number
  readonly notes: number
}

it(`a program of 51 calls that is killed at ${KILLS} random points has each effect once, and the outcome of an undisturbed run`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'code-killed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = await bundle(folder)
  let runs = 0
  const open = () => {
    const [journal, effects] = [join(folder, `run-${++runs}.jsonl`), join(folder, `effects-${runs}`)]
    writeFileSync(effects, '')
    const start = (killAt: number, approve: boolean) => {
      const { status, signal, stdout, stderr } = spawnSync(
        process.execPath,
        [program, journal, effects, String(killAt), approve ? 'yes' : ''],
        { encoding: 'utf8', timeout: 300_000 },
      )
      if (signal !== 'SIGKILL' && status !== 0 && status !== 3) throw new Error(stderr)
      return { isKilled: signal === 'SIGKILL', status, report: (stdout === '' ? {} : JSON.parse(stdout)) as Report }
    }
    return { start, rows: () => readFileSync(effects, 'utf8').split('\n').filter(Boolean) }
  }

  const calm = open()
  const before = calm.start(0, false)
  expect(before.status).toBe(3)
  expect(calm.rows()).toEqual([])
  const after = calm.start(0, true)
  expect(JSON.parse(after.report.text ?? '')).toEqual({ result: { sum: 1300, paid: { value: 26 } } })
  expect(calm.rows().length).toBe(26)

  const random = seededRandom(Number(process.env.X_SEED))
  let kills = 0
  while (kills < KILLS) {
    const run = open()
    // Some runs are killed before the approval, some behind it, some in both halves.
    if (random() < 0.5) kills += Number(run.start(1 + Math.floor(random() * before.report.notes), false).isKilled)
    const paused = run.start(0, false)
    expect(paused.status).toBe(3)
    kills += Number(run.start(1 + Math.floor(random() * after.report.notes), true).isKilled)
    const { report } = run.start(0, true)
    const rows = run.rows()
    expect(new Set(rows).size).toBe(rows.length)
    if (report.unknown === 0) {
      expect(report.text).toBe(after.report.text)
      expect(rows.length).toBe(26)
    } else {
      // The process died between the payment and its record: the program gets an error, and the payment isn't made again.
      expect(JSON.parse(report.text ?? '')).toEqual({ result: { sum: 1300, paid: { code: 'unknown_outcome' } } })
      expect(rows.filter((row) => row.startsWith('pay')).length).toBeLessThanOrEqual(1)
    }
  }
})
