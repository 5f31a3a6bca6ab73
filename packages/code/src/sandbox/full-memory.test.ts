/** In a full memory, the engine has no room for an error object. The end must name the memory all the same. */
import { expect, it } from 'vitest'
import { readLimits } from '../limits.ts'
import { startProgram } from './sandbox.js'

async function endOf(code: string, memoryBytes: number): Promise<unknown> {
  const { report, sandbox } = await startProgram(code, { limits: readLimits({ memoryBytes, timeMs: 600_000 }), now: 0, seed: 1 })
  sandbox?.close()
  return JSON.parse(report).end.cause
}

// At some of these sizes, the promise is rejected with null, and at others it never settles.
const SIZES = [1_102_495, 1_282_225, 1_300_198, 1_426_009, 1_587_766]

it.each(['all', 'any', 'allSettled'])('Promise.%s of an endless iterator ends as memory', async (name) => {
  const ends = await Promise.all(
    SIZES.map((size) => endOf(`return await Promise.${name}({ *[Symbol.iterator]() { for (;;) yield 1 } })`, size)),
  )
  expect(ends).toEqual(SIZES.map(() => 'memory'))
})

it('a program that throws null or waits for nothing has not filled its memory', async () => {
  expect(await endOf('throw null', SIZES[0] as number)).toBe('thrown')
  expect(await endOf('await new Promise(() => {})', SIZES[0] as number)).toBe('waits')
})
