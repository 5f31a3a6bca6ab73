/** Every dialect that the package exports, for tests that apply to all of them. */
import type { Dialect } from '../../src/dialects/define/dialect.ts'
import * as exported from '../../src/dialects/index.ts'

export const allDialects: readonly Dialect[] = Object.values(exported).filter(isDialect)

function isDialect(value: unknown): value is Dialect {
  return typeof value === 'object' && value !== null && 'streamParser' in value
}
