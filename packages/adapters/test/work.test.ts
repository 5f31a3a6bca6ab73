/** Tests that counting work finds quadratic functions on any machine. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { countWork, findQuadratic } from './work.ts'

const PATH = join(import.meta.dirname, 'work-readings.ts')

it('counts the same work each time', async () => {
  expect(await countWork(PATH, [500])).toEqual(await countWork(PATH, [500]))
})

it('finds a function that reads all previous text again', async () => {
  expect((await findQuadratic(PATH)).map(({ name }) => name)).toEqual([
    'all received text, by indexOf',
    'all received text, by a pattern',
    'from the start each time',
  ])
})
