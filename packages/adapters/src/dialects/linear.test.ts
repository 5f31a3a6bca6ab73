import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findQuadratic } from '../../test/work.ts'

it('every dialect reads an endless text with work that goes with its length', async () => {
  expect(await findQuadratic(join(import.meta.dirname, '../../test/dialects/linear-readings.ts'))).toEqual([])
})
