import { expect, it, vi } from 'vitest'
import { CallWriter } from './dialects/engine/call-writer.ts'
import { toToolTable } from './dialects/engine/tool-table.ts'
import type { LMDelta } from './protocol/protocol.ts'
import { CallIds } from './wire/call-ids.ts'

const MANY = 2_000

/** Counts the calls of `Set.prototype.has`. */
function asked(work: () => void): number {
  const has = vi.spyOn(Set.prototype, 'has')
  try {
    work()
    return has.mock.calls.length
  } finally {
    has.mockRestore()
  }
}

it("ids from the provider that are equal to later generated ones don't restart the search", () => {
  const ids = new CallIds()
  const made: string[] = []
  const times = asked(() => {
    for (let index = 0; index < MANY; index++) made.push(ids.take(`call_${MANY + index}`))
    for (let index = 0; index < MANY; index++) made.push(ids.take(undefined))
  })
  expect(new Set(made).size).toBe(2 * MANY)
  expect(times).toBeLessThan(5 * MANY)
})

it("ids from a model that are equal to later generated ones don't restart the search", () => {
  const deltas: LMDelta[] = []
  const times = asked(() => {
    const writer = new CallWriter(
      (delta) => deltas.push(delta),
      toToolTable(undefined),
      () => '',
    )
    for (let index = 0; index < MANY; index++) writer.start({ name: 'a', id: `call_${MANY + index}` })
    for (let index = 0; index < MANY; index++) writer.start({ name: 'a' })
  })
  const ids = deltas.flatMap((delta) => (delta.type === 'call_start' ? [delta.id] : []))
  expect(new Set(ids).size).toBe(2 * MANY)
  expect(times).toBeLessThan(5 * MANY)
})
