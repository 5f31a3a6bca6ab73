/** Tests fresh processes that answer, fail or end early, and the host that takes its samples from them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { stepClocks } from '../../../test/bench/clocks.ts'
import { measureOnce, openFresh } from './fresh-workload.ts'
import { SubjectHost } from './subject-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'x-bench-fresh-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let programs = 0

function programOf(code: string): string {
  const program = join(folder, `fresh-${++programs}.mjs`)
  writeFileSync(program, code)
  return program
}

it('takes each sample in another process, without warming up', async () => {
  const program = programOf('process.send({ sample: { cpu: process.pid, wall: Number(process.argv[2]) } }, () => process.exit())')
  const host = new SubjectHost(async () => openFresh({ program, args: ['7'] }))
  const processes = new Set<number>()
  for (const question of [
    { type: 'open', warmUpMs: 1 },
    { type: 'measure', batchMs: 1 },
    { type: 'measure', batchMs: 1 },
  ] as const) {
    const answer = await host.answer(question)
    if ('error' in answer) throw new Error(answer.error)
    expect(answer.sample.wall).toBe(7)
    processes.add(answer.sample.cpu)
  }
  expect(processes.size).toBe(3)
})

it('rejects with the error of the process', async () => {
  const program = programOf("process.send({ error: 'It cheats.' }, () => process.exit())")
  const host = new SubjectHost(async () => openFresh({ program, args: [] }))
  expect(await host.answer({ type: 'open', warmUpMs: 1 })).toEqual({ error: 'It cheats.' })
})

it('rejects when the process ends without an answer', async () => {
  const workload = openFresh({ program: programOf('process.exit(3)'), args: [] })
  await expect(workload.run()).rejects.toThrow('A fresh process sent no reply.')
})

it('measures work once, in microseconds', async () => {
  let runs = 0
  stepClocks({ cpu: 5, wall: 20 })
  const sample = await measureOnce(async () => {
    runs++
  })
  expect([runs, sample]).toEqual([1, { cpu: 5_000, wall: 20_000 }])
})
