/** Checks a toolset's client before the toolset accepts SQL. */
import { ToolError } from '@x/tool-core'
import type { SqlClient, SqlGuard, SqlStatement } from './sql-client.ts'
import { assertAllowed } from './sqlite/sqlite-guard.ts'

export interface SqlAccess {
  /** The toolset's name in error messages. */
  readonly owner: string
  readonly access: 'select' | 'query' | 'execute'
  /** True if the SQL may use all rights of the database user. */
  readonly trusted: boolean
}

/** Returns the client's guard. Throws `invalid_definition` for a client without a guard, because its SQL can't be checked. */
export function guardOf(client: SqlClient, { owner, access }: SqlAccess): SqlGuard {
  const guard = client.guard ?? (client.dialect === 'sqlite' ? SQLITE : undefined)
  if (guard !== undefined) return guard
  throw new ToolError(
    'invalid_definition',
    `${owner}: access '${access}' accepts SQL written by a model, which must be checked before it runs. For PostgreSQL, install the parser: npm i libpg-query. ` +
      "Wrap your own client with guardPostgres() from @x/toolset/postgres. Or use access: 'select', which accepts no SQL.",
  )
}

/** Checks the rights of the database user. Throws `invalid_definition` if the user has more rights than the access needs. */
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
    `${owner}: the database user has more rights than access '${access}' needs: it ${shown}${more}. ` +
      "Connect as a role without them, or pass trusted: true if the SQL may use all of the user's rights.",
  )
}

const MAX_RISKS = 5

/** A first check of the text alone. The client protects the data even if a harmful statement passes this check. */
const SQLITE: SqlGuard = {
  open: async () => {},
  check: async (statement: SqlStatement) => assertAllowed(statement),
  findRisks: async () => [],
}
