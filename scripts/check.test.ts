import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('pnpm check repeats the tests of a package after a change in one of its dependencies', () => {
  const { tasks } = JSON.parse(readFileSync(join(import.meta.dirname, '../turbo.json'), 'utf8'))
  expect(tasks.test.dependsOn).toContain('dependencies')
  expect(tasks.dependencies.dependsOn).toContain('^dependencies')
})
