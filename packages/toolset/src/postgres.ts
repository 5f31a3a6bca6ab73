/** A PostgreSQL server for the database toolset. */
import { driverMissing, isMissing } from './database/database-error.ts'
import { assertCount, assertTime } from './database/limits.ts'
import { createPostgresClient } from './database/postgres-client.ts'
import type { SqlClient } from './database/sql-client.ts'
import { assertOption, assertOptions, isText } from './option.ts'

export { findWritePrivileges } from './database/postgres-role.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with the user of a role that may read only. */
  readonly url: string
  /** Statements that run at the same time; 4 unless told. */
  readonly maxConnections?: number | undefined
  /** How long a connection may take, in milliseconds; 10,000 unless told. */
  readonly connectMs?: number | undefined
}

/**
 * Connects when the first statement runs, by the package `pg`, which has to be installed; rejects with `driver_missing` when it
 * is not. Each statement runs in a transaction of its own, read-only when it is a query. The server enforces that, and the time
 * and row limits. It does not keep a role from reading files, running programs or opening other connections when it has the
 * right to: give the toolset a role without it, and check by `findWritePrivileges`.
 */
export async function openPostgres(options: PostgresOptions): Promise<SqlClient> {
  assertOptions(options, 'openPostgres', '{ url: process.env.DATABASE_URL }')
  const { url, maxConnections = 4, connectMs = 10_000 } = options
  assertOption(isText(url), 'openPostgres', 'url', 'the address of a database', url)
  assertCount('openPostgres', 'maxConnections', maxConnections)
  assertTime('openPostgres', 'connectMs', connectMs)
  const { default: pg } = await importDriver()
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    // An idle connection does not keep the program running.
    allowExitOnIdle: true,
  })
  // A connection that breaks: the statement on it rejects, and the next one opens another or says why it cannot.
  pool.on('error', () => {})
  pool.on('connect', (connection) => connection.on('error', () => {}))
  return createPostgresClient(pool)
}

/** The import stands inside `try`: bundlers then accept that the package is missing. */
async function importDriver() {
  try {
    return await import('pg')
  } catch (error) {
    throw isMissing(error, 'pg') ? driverMissing('pg', error) : error
  }
}
