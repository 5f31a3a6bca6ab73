import { image } from '@x/tool-core'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { MemorySteps } from '../../test/steps.ts'
import type { CallOutcome } from '../loop/outcome.ts'
import { RecordedMedia } from './recorded-media.ts'

const DATA = ['a', 'b', 'c'].map((name) => btoa(name.repeat(90)))

interface Call {
  /** The images that the call returns. */
  readonly images: readonly number[]
  /** Number of turns of the event loop that the call takes. */
  readonly turns: number
}

const calls: fc.Arbitrary<readonly Call[]> = fc.array(
  fc.record({ images: fc.array(fc.nat(DATA.length - 1), { maxLength: 3 }), turns: fc.nat(4) }),
  { minLength: 1, maxLength: 8 },
)

const limits = fc.integer({ min: 1, max: 4 })

/**
 * Simulates one process: runs the calls with a limit, as a turn does. The process dies when `most` records are written, so no later step
 * ends.
 */
async function play(
  all: readonly Call[],
  limit: number,
  steps: MemorySteps,
  most = Infinity,
): Promise<readonly CallOutcome[] | undefined> {
  let die = () => {}
  const dead = new Promise<undefined>((resolve) => {
    die = () => resolve(undefined)
  })
  const media = new RecordedMedia({
    run: async (key, execute) => {
      if (steps.records.has(key)) return await steps.run(key, execute)
      const value = await execute()
      if (steps.records.size >= most) {
        die()
        return await new Promise<never>(() => {})
      }
      return await steps.run(key, async () => value)
    },
    wait: (key) => steps.wait(key),
  })
  const outcomes: CallOutcome[] = []
  let next = 0
  const work = async () => {
    while (next < all.length) {
      const index = next++
      const { images, turns } = all[index] as Call
      outcomes[index] = await media.run(`call-${index}`, async () => {
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
        return outcomeOf(index, images)
      })
    }
    media.checkWaiting()
  }
  const workers: Promise<void>[] = []
  media.startNext = () => next < all.length && workers.push(work()) > 0
  while (workers.length < limit) workers.push(work())
  const working = async () => {
    for (const worker of workers) await worker
    return outcomes
  }
  return await Promise.race([dead, working()])
}

function outcomeOf(index: number, images: readonly number[]): CallOutcome {
  const parts = images.map((number) => image({ mediaType: 'image/png', base64: DATA[number] as string }))
  const observation = { callId: `${index}`, name: 'look', ok: true, text: '', ...(parts.length > 0 && { parts }) }
  return { observation, data: { output: { seen: images.map((number) => DATA[number]) } } }
}

it('every process has the same images, and a journal has the data of each once in each process', async () => {
  await fc.assert(
    fc.asyncProperty(calls, fc.tuple(limits, limits, limits), fc.nat(9), async (all, [first, second, third], crashAfter) => {
      const expected = all.map(({ images }, index) => outcomeOf(index, images))
      const steps = new MemorySteps()
      const hasCrashed = (await play(all, first, steps, crashAfter)) === undefined
      expect(await play(all, second, steps)).toEqual(expected)
      expect(await play(all, third, steps)).toEqual(expected)
      const journal = [...steps.records.values()].join('\n')
      // After a crash, a call may end before the record of a later one that has the same data is replayed.
      for (const data of DATA) expect(journal.split(data).length - 1).toBeLessThanOrEqual(hasCrashed ? 2 : 1)
    }),
  )
})

it('a call that runs while the digest of a replayed image is still being computed refers to that image', async () => {
  const calls = [
    { images: [0], turns: 0 },
    { images: [0], turns: 2 },
  ]
  const steps = new MemorySteps()
  await play(calls, 1, steps, 1)
  const { digest } = crypto.subtle
  const spy = vi.spyOn(crypto.subtle, 'digest').mockImplementationOnce(async (...args) => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    return await digest.apply(crypto.subtle, args)
  })
  await play(calls, 2, steps)
  spy.mockRestore()
  expect([...steps.records.values()].filter((record) => JSON.stringify(record).includes(DATA[0] as string))).toHaveLength(1)
})
