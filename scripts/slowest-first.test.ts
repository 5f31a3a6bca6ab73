import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { TestSpecification } from 'vitest/node'
import { SLOWEST, SlowestFirst } from './slowest-first.ts'

const root = resolve(import.meta.dirname, '..')

it('names only files that exist', () => {
  expect(SLOWEST.filter((path) => !existsSync(resolve(root, path)))).toEqual([])
})

it('starts the slowest files first, and keeps all others', async () => {
  const context = {
    config: { root, sequence: { groupOrder: 0 } },
    cache: { getFileTestResults: () => undefined, getFileStats: () => undefined },
  }
  const sequencer = new SlowestFirst(context as never)
  const files = ['scripts/a.test.ts', SLOWEST[1], 'scripts/b.test.ts', SLOWEST[0]].map(
    (path) =>
      ({
        moduleId: resolve(root, `${path}`),
        project: { name: 'units', config: { root, sequence: { groupOrder: 0 } } },
      }) as TestSpecification,
  )
  const sorted = await sequencer.sort(files)
  expect(sorted.map(({ moduleId }) => moduleId).slice(0, 2)).toEqual(
    [SLOWEST[0], SLOWEST[1]].map((path) => resolve(root, `${path}`)),
  )
  expect(new Set(sorted)).toEqual(new Set(files))
})
