import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const { tasks } = JSON.parse(readFileSync(join(import.meta.dirname, '../turbo.json'), 'utf8'))

it('pnpm check repeats the tests of a package after a change in its own files, and not after one in a dependency', () => {
  expect(tasks.test.inputs).toBeUndefined()
  expect(tasks.test.dependsOn).toBeUndefined()
})

it('the types of a package are checked again after a change in one of its dependencies', () => {
  expect(tasks.typecheck.dependsOn).toContain('dependencies')
  expect(tasks.dependencies.dependsOn).toContain('^dependencies')
})
