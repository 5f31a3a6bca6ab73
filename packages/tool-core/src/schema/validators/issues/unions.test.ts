import { expect, it } from 'vitest'
import type { Failure } from './failure.ts'
import { mergeUnions } from './unions.ts'

/** The failures of a union within a union, and so on. The innermost ones come first. */
function nestedUnions(levels: number, onRead: () => void): readonly Failure[] {
  const failures: Failure[] = []
  for (let level = levels; level >= 0; level--) {
    const [instancePath, schemaPath] = ['/of'.repeat(level), `#${'/anyOf/0/properties/of'.repeat(level)}`]
    const add = (keyword: string, path: string, params: Failure['params']) =>
      failures.push({
        keyword,
        params,
        instancePath,
        get schemaPath() {
          onRead()
          return path
        },
      })
    add('required', `${schemaPath}/anyOf/1/required`, { missingProperty: 'a' })
    add('required', `${schemaPath}/anyOf/2/required`, { missingProperty: 'b' })
    add('anyOf', `${schemaPath}/anyOf`, {})
  }
  return failures
}

it('compares the failures of nested unions with few other ones', () => {
  const readsOf = (levels: number) => {
    let reads = 0
    const failures = nestedUnions(levels, () => reads++)
    expect(mergeUnions(failures, {}).length).toBeGreaterThan(levels)
    return reads / failures.length
  }
  expect(readsOf(200)).toBeLessThan(readsOf(50) * 8)
})
