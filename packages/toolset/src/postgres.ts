/** A PostgreSQL server for the database toolset. */
import { driverMissing, isMissing } from './database/database-error.ts'
import { assertCount, assertTime } from './database/limits.ts'
import { createPostgresClient } from './database/postgres-client.ts'
import { guarded } from './database/postgres-guard.ts'
import type { SqlClient } from './database/sql-client.ts'
import { assertNames, assertOption, assertOptions, isText } from './toolset/option.ts'

export { findWritePrivileges } from './database/postgres-role.ts'

const PARSER = new URL('./database/postgres-parser-worker.js', import.meta.url)

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with the user of a role that may read only. */
  readonly url: string
  /** Statements that run at the same time; 4 unless told. */
  readonly maxConnections?: number | undefined
  /** How long a connection may take, in milliseconds; 10,000 unless told. */
  readonly connectMs?: number | undefined
  /**
   * Functions and types of your own, or of extensions, that the SQL of a model may use beside those of PostgreSQL that only compute,
   * written as SQL writes them: `['area_of', 'crm.area_of', 'geometry']`.
   */
  readonly functions?: readonly string[] | undefined
}

/**
 * Connects when the first statement runs, by the package `pg`, which has to be installed; rejects with `driver_missing` when it
 * is not. Each statement runs in a transaction of its own, read-only when it is a query. The server enforces that, and the time
 * and row limits. A toolset that takes SQL also needs the package `libpg-query`, which checks each statement by PostgreSQL's own
 * grammar, and a role without rights beyond its access.
 */
export async function openPostgres(options: PostgresOptions): Promise<SqlClient> {
  assertOptions(options, 'openPostgres', '{ url: process.env.DATABASE_URL }')
  const { url, maxConnections = 4, connectMs = 10_000, functions } = options
  assertOption(isText(url), 'openPostgres', 'url', 'the address of a database', url)
  assertCount('openPostgres', 'maxConnections', maxConnections)
  assertTime('openPostgres', 'connectMs', connectMs)
  assertNames(functions, 'openPostgres', 'functions')
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
  return guarded(createPostgresClient(pool), { functions, script: PARSER })
}

/**
 * Lets a toolset take SQL for a client of your own that speaks PostgreSQL. Throws a `ToolError` with the reason `driver_missing` when
 * the package `libpg-query` is not installed. Close the client that it returns.
 */
export function guardPostgres(client: SqlClient, { functions }: Pick<PostgresOptions, 'functions'> = {}): SqlClient {
  assertNames(functions, 'guardPostgres', 'functions')
  const safe = guarded(client, { functions, script: PARSER })
  if (safe.guard === undefined) throw driverMissing('libpg-query')
  return safe
}

/** The import stands inside `try`: bundlers then accept that the package is missing. */
async function importDriver() {
  try {
    return await import('pg')
  } catch (error) {
    throw isMissing(error, 'pg') ? driverMissing('pg', error) : error
  }
}
