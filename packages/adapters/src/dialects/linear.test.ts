import { join } from 'node:path'
import { expect, it } from 'vitest'
import { countWork, findQuadratic } from '../../test/work.ts'

it('every dialect reads an endless text in linear time', async () => {
  expect(await findQuadratic(join(import.meta.dirname, '../../test/dialects/linear-readings.ts'))).toEqual([])
})

/**
 * Maximum number of steps per character. Each character may open a call: the steps include the attempt to read one, and checks for
 * quotations and invented results.
 */
const MOST = 140

it('every dialect reads repeated and paired call openers in few steps', async () => {
  const counted = await countWork(join(import.meta.dirname, '../../test/dialects/opening-readings.ts'), [LENGTH])
  expect(counted.filter(({ counts: [steps = 0] }) => steps === 0 || steps > MOST * LENGTH)).toEqual([])
})

const LENGTH = 1_000
