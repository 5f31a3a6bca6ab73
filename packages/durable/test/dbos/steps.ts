/**
 * A worker process for tests that kill or suspend it. Each run has five steps, each of which writes a line when it begins, when it ends,
 * and when it is recorded. A run with a negative input first blocks its worker.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDbosEngine } from '../../src/dbos/dbos-engine.ts'

export interface StepsOptions {
  readonly databaseUrl: string
  readonly name: string
  readonly log: string
  readonly sweepMs: number
  readonly leaseMs: number
  readonly stepMs: number
  /** Steps after the second one wait for this file. */
  readonly gate?: string
  readonly maxCrashes?: number
}

const { databaseUrl, name, log, sweepMs, leaseMs, stepMs, gate, maxCrashes } = JSON.parse(process.argv[2] ?? '') as StepsOptions
const note = (words: string) => appendFileSync(log, `${process.pid} ${words}\n`)

process.on('unhandledRejection', (cause) => note(`unhandled ${cause}`))
// Tests find the sessions of this process by this name.
process.env.PGAPPNAME = String(process.pid)
const engine = await createDbosEngine<number, number>({
  databaseUrl,
  name,
  sweepMs,
  leaseMs,
  // The limit is low, so that both workers have some runs.
  concurrency: 3,
  maxCrashes,
  fn: async (input, { id, steps, signal }) => {
    signal.addEventListener('abort', () => note(`${id} abort ${signal.reason.code}`))
    if (input < 0) await steps.run('block', async () => block(id))
    let sum = input
    for (let index = 0; index < 5; index++) {
      sum += await steps.run(`step-${index}`, async () => {
        note(`${id} begin ${index}`)
        await sleep(stepMs)
        while (index > 1 && gate !== undefined && !existsSync(gate)) await sleep(stepMs)
        note(`${id} end ${index}`)
        return index
      })
      note(`${id} given ${index}`)
    }
    return sum
  },
})
process.send?.('ready')

/** Blocks the event loop until the test creates the file for this block, the first or a later one. */
function block(id: string): void {
  note(`${id} block`)
  const blocks = readFileSync(log, 'utf8').match(/ block$/gm)?.length
  while (!existsSync(`${log}-${blocks}`)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
}

process.once('SIGTERM', () => {
  engine.close().then(() => process.disconnect())
})
