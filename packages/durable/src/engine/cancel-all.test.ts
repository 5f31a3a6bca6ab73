import { expect, it } from 'vitest'
import { cancelAll } from './cancel-all.ts'
import type { ListOptions, RunStatus } from './engine.ts'

/** An engine with this many runs, of which every third has ended. */
function engineWith(count: number) {
  const states = ['queued', 'waiting', 'finished'] as const
  const runs = Array.from({ length: count }, (_, index): RunStatus => {
    const state = states[index % states.length] as RunStatus['state']
    return { id: `run-${index}`, input: 'tea', waitsFor: [], startedAt: '2026-11-23T00:00:00.000Z', state }
  })
  const asked: ListOptions[] = []
  const cancelled: string[] = []
  return {
    asked,
    cancelled,
    async list(options: ListOptions = {}) {
      asked.push(options)
      const { limit = 100, after } = options
      const from = after === undefined ? 0 : runs.findIndex(({ id }) => id === after.id) + 1
      return runs.slice(from, from + limit)
    },
    async cancel(id: string) {
      cancelled.push(id)
    },
  }
}

it.each([0, 1, 100, 250])('cancels all of %s runs that have not ended, page by page', async (count) => {
  const engine = engineWith(count)
  const ids = await cancelAll(engine)
  const expected = Array.from({ length: count }, (_, index) => `run-${index}`).filter((_, index) => index % 3 !== 2)
  expect(ids).toEqual(expected)
  expect([...engine.cancelled].sort()).toEqual([...expected].sort())
  expect(engine.asked).toHaveLength(Math.floor(count / 100) + 1)
})

it('passes the filter on with every page', async () => {
  const engine = engineWith(150)
  await cancelAll(engine, { state: 'waiting', waitsFor: 'go' })
  expect(engine.asked).toMatchObject([
    { state: 'waiting', waitsFor: 'go', after: undefined },
    { state: 'waiting', waitsFor: 'go', after: { id: 'run-99' } },
  ])
})
