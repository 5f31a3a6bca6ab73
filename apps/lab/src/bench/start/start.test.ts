/** Tests the bench `start`: our imports take a sample in every case, and the table lists every subject but the baseline. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { start } from './start.ts'

const peers = join(import.meta.dirname, '../../../peers')

it.each(start.cases)('imports what %s needs', async (caseName) => {
  const ours = start.subjects.filter(({ name }) => name === start.base || name === start.limits?.[0]?.cell.subject)
  expect(ours).toHaveLength(2)
  for (const subject of ours)
    expect(await start.takeOnce?.(subject, caseName, peers)).toEqual({ cpu: expect.any(Number), wall: expect.any(Number) })
})
