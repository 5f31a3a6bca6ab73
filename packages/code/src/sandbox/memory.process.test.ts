/** Runs many programs in this thread, some of which fill their memory. The memory of the process must stay flat. */
import { expect, it } from 'vitest'
import { readLimits } from '../limits.ts'
import { startProgram } from './sandbox.js'

const RUNS = process.env.X_FULL ? 10_000 : 400
const MIB = 1024 * 1024

it(`${RUNS} programs leave no memory behind`, async () => {
  const options = { limits: readLimits({ memoryBytes: 16 * MIB, timeMs: 60_000 }), now: 0, seed: 1 }
  const run = async (index: number) => {
    const code =
      index % 50 === 0
        ? 'const kept = []; for (;;) kept.push(new Uint8Array(1 << 20))'
        : `const kept = Array.from({ length: 1000 }, (_, i) => ({ i })); await tools.never({}); return kept`
    const started = await startProgram(code, options)
    const { end, calls } = JSON.parse(started.report)
    expect(end === undefined ? calls.length : end.cause).toBe(index % 50 === 0 ? 'memory' : 1)
    // The handles of the unfinished program are left in the instance.
    started.sandbox?.close()
  }
  const sizes: number[] = []
  for (let index = 0; index < RUNS; index++) {
    await run(index)
    if (index % (RUNS / 8) === 0) sizes.push(process.memoryUsage().rss)
  }
  const [, , early = 0] = sizes
  console.info(`RSS in MiB: ${sizes.map((size) => Math.round(size / MIB)).join(' ')}`)
  expect((sizes.at(-1) ?? 0) - early).toBeLessThan(128 * MIB)
})
