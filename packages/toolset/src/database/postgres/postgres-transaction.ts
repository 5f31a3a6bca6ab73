/** Creates the transaction around a PostgreSQL statement. The server enforces its limits. */
import { timerMs } from '../../option.ts'

export interface TransactionLimits {
  readonly readOnly: boolean
  readonly timeoutMs: number
}

/** Makes the server check every second whether the client is still connected. Servers before version 14 lack this setting. */
const NOTICE_LOST_CLIENT =
  "SELECT set_config('client_connection_check_interval', '1000', true) FROM pg_catalog.pg_settings WHERE name = 'client_connection_check_interval'"

/**
 * Returns the SQL that begins a transaction. The `SELECT` at its end takes the snapshot. After that, the server refuses to make a read-only
 * transaction writable. The format settings are those that `toSqlValue` expects. `hasClient` is false for a database in our own process.
 */
export function beginTransaction({ readOnly, timeoutMs }: TransactionLimits, { hasClient }: { hasClient: boolean }): string {
  const limit = timerMs(Math.max(1, Math.ceil(timeoutMs)))
  return [
    `BEGIN ${readOnly ? 'READ ONLY' : 'READ WRITE'}`,
    `SET LOCAL statement_timeout = ${limit}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${limit}`,
    // Makes PostgreSQL parse quotes as the guard's parser does.
    'SET LOCAL standard_conforming_strings = on',
    "SET LOCAL datestyle = 'ISO'",
    "SET LOCAL bytea_output = 'hex'",
    hasClient ? NOTICE_LOST_CLIENT : 'SELECT 1',
  ].join('; ')
}

/** Returns the SQL that ends a transaction. A rollback also undoes settings, including those of `set_config(…, false)`. */
export function endTransaction({ readOnly }: TransactionLimits): string {
  return readOnly ? 'ROLLBACK' : 'COMMIT'
}

/** Resets the session state that outlives a transaction: prepared statements, advisory locks, LISTEN, and committed settings. */
export const CLEAN_SESSION = 'DISCARD ALL'
