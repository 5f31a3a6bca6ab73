/** Every dialect of the package. */

import type { Dialect } from '@x/adapters/dialects'
import * as exported from '@x/adapters/dialects'

export const DIALECTS: readonly Dialect[] = Object.values(exported).filter(isDialect)

function isDialect(value: unknown): value is Dialect {
  return typeof value === 'object' && value !== null && 'streamParser' in value
}
