import { join } from 'node:path'
import { expect, it } from 'vitest'
import { countWork, findQuadratic } from '../../test/work.ts'

it('every dialect reads an endless text with work that goes with its length', async () => {
  expect(await findQuadratic(join(import.meta.dirname, '../../test/dialects/linear-readings.ts'))).toEqual([])
})

/** Steps for each character, which may open a call each time: the attempt to read one, and whether it is quoted or made up. */
const MOST = 140

it('every dialect reads what may open a call, over and over and in pairs, in few steps', async () => {
  const counted = await countWork(join(import.meta.dirname, '../../test/dialects/opening-readings.ts'), [LENGTH])
  expect(counted.filter(({ counts: [steps = 0] }) => steps === 0 || steps > MOST * LENGTH)).toEqual([])
})

const LENGTH = 1_000
