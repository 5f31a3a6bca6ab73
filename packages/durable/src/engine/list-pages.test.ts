import { expect, it } from 'vitest'
import type { RunStatus } from './engine.ts'
import { listPages } from './list-pages.ts'

const runs = Array.from({ length: 50 }, (_, index): RunStatus => {
  const state = index % 10 === 3 ? 'running' : 'waiting'
  return { id: `r${index}`, state, input: null, waitsFor: [], startedAt: new Date(1000 - index).toISOString() }
})

it('reads no more runs than the limit needs, and replaces those whose state has changed meanwhile', async () => {
  const counts: number[] = []
  const read = async (count: number, after: { readonly id: string } | undefined) => {
    counts.push(count)
    const start = after === undefined ? 0 : runs.findIndex(({ id }) => id === after.id) + 1
    return { runs: runs.slice(start, start + count), isLast: start + count > runs.length }
  }
  const found = await listPages({ state: 'waiting', limit: 10 }, read)
  expect(found.map(({ id }) => id)).toEqual(['r0', 'r1', 'r2', 'r4', 'r5', 'r6', 'r7', 'r8', 'r9', 'r10'])
  expect(counts).toEqual([10, 1])
})
