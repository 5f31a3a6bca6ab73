/** The transaction around each PostgreSQL statement, with limits that the server enforces. */

export interface TransactionLimits {
  readonly readOnly: boolean
  readonly timeoutMs: number
}

/** Lets servers since version 14 detect a lost client within a second. Older servers lack the setting. */
const NOTICE_LOST_CLIENT =
  "SELECT set_config('client_connection_check_interval', '1000', true) FROM pg_catalog.pg_settings WHERE name = 'client_connection_check_interval'"

/**
 * Returns the SQL that begins the transaction. Its final `SELECT` takes the snapshot; after it the server refuses to make a read-only
 * transaction writable. The format settings match `toSqlValue`. `hasClient` is false for a database in our own process.
 */
export function beginTransaction({ readOnly, timeoutMs }: TransactionLimits, { hasClient }: { hasClient: boolean }): string {
  const limit = Math.min(Math.max(1, Math.ceil(timeoutMs)), 2 ** 31 - 1)
  return [
    `BEGIN ${readOnly ? 'READ ONLY' : 'READ WRITE'}`,
    `SET LOCAL statement_timeout = ${limit}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${limit}`,
    // Matches how the guard's parser reads quotes.
    'SET LOCAL standard_conforming_strings = on',
    "SET LOCAL datestyle = 'ISO'",
    "SET LOCAL bytea_output = 'hex'",
    hasClient ? NOTICE_LOST_CLIENT : 'SELECT 1',
  ].join('; ')
}

/** A rollback also undoes settings, including `set_config(…, false)`. */
export function endTransaction({ readOnly }: TransactionLimits): string {
  return readOnly ? 'ROLLBACK' : 'COMMIT'
}

/** Resets what outlives a transaction: prepared statements, advisory locks, LISTEN, committed settings. */
export const CLEAN_SESSION = 'DISCARD ALL'
