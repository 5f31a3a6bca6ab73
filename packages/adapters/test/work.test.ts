/** Work is counted, so that a reader whose time goes with the square is found on any machine. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { countWork, findQuadratic } from './work.ts'

const PATH = join(import.meta.dirname, 'work-readings.ts')

it('counts the same each time', async () => {
  expect(await countWork(PATH, [500])).toEqual(await countWork(PATH, [500]))
})

it('finds what reads again all that came before', async () => {
  expect((await findQuadratic(PATH)).map(({ name }) => name)).toEqual([
    'all received text, by indexOf',
    'all received text, by a pattern',
    'from the start each time',
  ])
})
