/** Connects the database toolset to a PostgreSQL server. */
import { ToolError } from '@x/tool-core'
import { driverMissing, isMissing } from './database/database-error.ts'
import { createPostgresClient } from './database/postgres/postgres-client.ts'
import { guarded } from './database/postgres-guard/postgres-guard.ts'
import type { SqlClient } from './database/sql-client.ts'
import { assertCount, assertNames, assertOption, assertOptions, assertTime } from './option.ts'

export { findWritePrivileges } from './database/postgres-guard/postgres-role.ts'

const PARSER = new URL('./database/postgres-guard/postgres-parser-worker.js', import.meta.url)

export interface PostgresOptions {
  /** Address of the database: `postgres://user:password@host:port/database`. Use a role that may only read. */
  readonly url: string
  /** Maximum number of concurrent statements. Default: 4. */
  readonly maxConnections?: number | undefined
  /** Timeout for connecting, in milliseconds. Default: 10,000. */
  readonly connectMs?: number | undefined
  /**
   * Your own functions and types, or those of an extension, that a model's SQL may use. PostgreSQL's own are allowed if they only compute
   * or read. Write names as in SQL: `['area_of', 'crm.area_of', 'geometry']`.
   */
  readonly functions?: readonly string[] | undefined
}

/**
 * Opens a database with the package `pg`, which you install. Connects at the first statement. Each statement runs in its own transaction,
 * which is read-only for a query. The server enforces this and the limits on time and rows.
 *
 * A toolset that takes SQL also needs a role that has no more rights than the toolset's access. It needs the package `libpg-query` too,
 * which checks each statement with PostgreSQL's own grammar.
 *
 * Rejects with `driver_missing` if `pg` isn't installed, and with `invalid_definition` for a malformed URL.
 */
export async function openPostgres(options: PostgresOptions): Promise<SqlClient> {
  assertOptions(options, 'openPostgres', '{ url: process.env.DATABASE_URL }')
  const { url, maxConnections = 4, connectMs = 10_000, functions } = options
  const isAddress = typeof url === 'string' && /^(postgres(ql)?:\/\/|socket:|\/)/i.test(url)
  assertOption(isAddress, 'openPostgres', 'url', 'a database URL that starts with postgres:// or postgresql://', url)
  assertCount('openPostgres', 'maxConnections', maxConnections)
  assertTime('openPostgres', 'connectMs', connectMs)
  assertNames(functions, 'openPostgres', 'functions')
  const { default: pg } = await importDriver()
  assertUsable(() => new pg.Client({ connectionString: url }))
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    // An idle connection doesn't keep the process alive.
    allowExitOnIdle: true,
  })
  // If a connection breaks, its statement rejects. The next statement opens another connection, or reports why it can't.
  pool.on('error', () => {})
  pool.on('connect', (connection) => connection.on('error', () => {}))
  return guarded(createPostgresClient(pool), { functions, script: PARSER })
}

/**
 * Adds a guard to your own PostgreSQL client, so that a toolset may run SQL on it. Close the returned client instead of yours. Throws a
 * `ToolError` with the reason `driver_missing` if the package `libpg-query` isn't installed.
 */
export function guardPostgres(client: SqlClient, { functions }: Pick<PostgresOptions, 'functions'> = {}): SqlClient {
  assertNames(functions, 'guardPostgres', 'functions')
  const safe = guarded(client, { functions, script: PARSER })
  if (safe.guard === undefined) throw driverMissing('libpg-query')
  return safe
}

/** Lets the driver read the URL. The error has no cause, because the driver's own error contains the URL with its password. */
function assertUsable(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    const code = (error as { code?: unknown }).code
    const words =
      code === 'ENOENT' || code === 'EACCES'
        ? `names a certificate or a key that cannot be read (${code}).`
        : 'is malformed. In the user and the password, write special characters as encodeURIComponent does.'
    throw new ToolError('invalid_definition', `openPostgres: url ${words}`)
  }
}

/** Imports the driver. The import is inside `try`, so that bundlers accept that the package may be missing. */
async function importDriver() {
  try {
    return await import('pg')
  } catch (error) {
    throw isMissing(error, 'pg') ? driverMissing('pg', error) : error
  }
}
