/** All dialects of `@x/adapters`, and two formats of the Berkeley leaderboard. */
import * as exported from '@x/adapters/dialects'
import { bfclJsonXml } from './bfcl-json-xml.ts'
import { bfclPython } from './bfcl-python.ts'

export const DIALECTS: readonly exported.Dialect[] = [...Object.values(exported).filter(isDialect), bfclJsonXml, bfclPython]

function isDialect(value: unknown): value is exported.Dialect {
  return typeof value === 'object' && value !== null && 'streamParser' in value
}
