/**
 * A worker process for tests that kill or suspend it. Each run has five steps, each of which writes a line when it begins, when it ends,
 * and when it is recorded.
 */
import { appendFileSync, existsSync } from 'node:fs'
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
    // A negative input blocks the event loop for longer than the lease.
    if (input < 0)
      await steps.run('block', async () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2.5 * leaseMs))
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
process.once('SIGTERM', () => {
  engine.close().then(() => process.disconnect())
})
