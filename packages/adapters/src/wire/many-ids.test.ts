import { expect, it, vi } from 'vitest'
import { CallIds } from './call-ids.ts'

const MANY = 2_000

/** How often a set is asked whether it holds something. */
function asked(work: () => void): number {
  const has = vi.spyOn(Set.prototype, 'has')
  try {
    work()
    return has.mock.calls.length
  } finally {
    has.mockRestore()
  }
}

it('LOOP-01: ids that come ahead of those that are minted cost no search from the beginning', () => {
  const ids = new CallIds()
  const made: string[] = []
  const times = asked(() => {
    for (let index = 0; index < MANY; index++) made.push(ids.take(`call_${MANY + index}`))
    for (let index = 0; index < MANY; index++) made.push(ids.take(undefined))
  })
  expect(new Set(made).size).toBe(2 * MANY)
  expect(times).toBeLessThan(5 * MANY)
})
