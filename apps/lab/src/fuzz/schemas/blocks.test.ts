/** Tests the `blocks` target: it sums up the reports of a process, and stops a pair that never ends. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { fuzzBlocks } from './blocks.ts'

const folder = mkdtempSync(join(tmpdir(), 'fuzz-blocks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program that reports 60 ms times the number of the pair, and hangs in pair 2. */
const PROGRAM = `
process.once('message', ({ from, pairs }) => {
  let pair = from
  const next = () => {
    if (pair === pairs) return process.disconnect()
    if (pair === 2) return setInterval(() => {}, 60_000)
    process.send({ pair, ms: 60 * pair++ }, next)
  }
  next()
})`

/** Ends the time of pair 2 as soon as it starts. On a busy machine, the other pairs could exceed their time. */
function endPair2(): void {
  const { setTimeout: start } = globalThis
  let pairs = 0
  // The time of the first pair of a process is another one. The reply for pair 1 starts the second time of 500 ms.
  vi.stubGlobal('setTimeout', (end: () => void, ms: number) => start(end, ms === 500 && ++pairs === 2 ? 0 : 600_000))
  onTestFinished(() => void vi.unstubAllGlobals())
}

async function call(...words: string[]) {
  const program = join(folder, 'program.mjs')
  writeFileSync(program, PROGRAM)
  const written = { out: '', err: '' }
  const out = (text: string) => {
    written.out += text
  }
  const err = (text: string) => {
    written.err += text
  }
  return { code: await fuzzBlocks(['blocks', ...words], { program, endMs: 500, out, err }), ...written }
}

it('reports the longest block, and continues after a pair that timed out', async () => {
  endPair2()
  const { code, out, err } = await call('--pairs', '5', '--json')
  const report = { target: 'blocks', seed: 1, pairs: 5, longestMs: 500, longest: 2, over100Ms: 3, givenUp: [2] }
  expect({ code, report: JSON.parse(out), err }).toEqual({ code: 1, report, err: 'Pair 2 was stopped after 500 ms\n' })
})

it('exits with 0 when every pair ended, and with 2 for invalid arguments', async () => {
  const end = 'seed 1, 2 pairs, longest block 60 ms (pair 1), 0 over 100 ms, 0 given up\n'
  expect(await call('--pairs', '2')).toEqual({ code: 0, out: `fuzz blocks: ${end}`, err: '' })
  expect(await call('--pairs', 'many')).toMatchObject({ code: 2, err: expect.stringContaining('--pairs') })
})
