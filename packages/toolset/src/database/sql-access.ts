/** What a toolset that takes SQL asks of its client before it takes any. */
import { ToolError } from '@x/tool-core'
import type { SqlClient, SqlGuard, SqlStatement } from './sql-client.ts'
import { assertAllowed } from './sqlite-guard.ts'

export interface SqlAccess {
  /** Names the toolset in errors. */
  readonly owner: string
  readonly access: 'select' | 'query' | 'execute'
  /** True for SQL whose author is trusted with all that the database's user may do. */
  readonly trusted: boolean
}

/** Throws `invalid_definition` for a client whose SQL cannot be checked. */
export function guardOf(client: SqlClient, { owner, access }: SqlAccess): SqlGuard {
  const guard = client.guard ?? (client.dialect === 'sqlite' ? SQLITE : undefined)
  if (guard !== undefined) return guard
  throw new ToolError(
    'invalid_definition',
    `${owner}: access '${access}' takes SQL from a model, which the package "libpg-query" checks for PostgreSQL. To fix: npm i libpg-query, ` +
      "and wrap a client of your own by guardPostgres() from @x/toolset/postgres. Or use access: 'select', which takes no SQL.",
  )
}

/** Asks the database, and throws `invalid_definition` when its user may do more than the access needs. */
export async function assertFit(client: SqlClient, options: SqlAccess): Promise<void> {
  const { owner, access, trusted } = options
  if (access === 'select') return
  const guard = guardOf(client, options)
  await guard.open()
  if (trusted) return
  const risks = await guard.findRisks({ readOnly: access === 'query' })
  if (risks.length === 0) return
  const shown = risks.slice(0, MAX_RISKS).join(', it ')
  const more = risks.length > MAX_RISKS ? `, and ${risks.length - MAX_RISKS} more` : ''
  throw new ToolError(
    'invalid_definition',
    `${owner}: the database's user has more rights than access '${access}' needs: it ${shown}${more}. ` +
      'Connect as a role without them, or pass trusted: true when the SQL may do all that the user may.',
  )
}

const MAX_RISKS = 5

/** What else keeps its data safe lies in its client, whoever wrote the statement. */
const SQLITE: SqlGuard = {
  open: async () => {},
  check: async (statement: SqlStatement) => assertAllowed(statement),
  findRisks: async () => [],
}
