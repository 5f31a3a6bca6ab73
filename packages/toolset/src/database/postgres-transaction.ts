/** The transaction around each statement on PostgreSQL, as the server itself enforces it. */

export interface TransactionLimits {
  readonly readOnly: boolean
  readonly timeoutMs: number
}

/** How soon a server from version 14 on notices that nobody waits for a statement any longer; older ones lack the setting. */
const NOTICE_LOST_CLIENT =
  "SELECT set_config('client_connection_check_interval', '1000', true) FROM pg_settings WHERE name = 'client_connection_check_interval'"

/**
 * The `SELECT` takes the transaction's snapshot: from then on the server refuses to make a read-only transaction writable.
 * The settings of values are those that `toSqlValue` reads. `hasClient` is false for a database in our own process.
 */
export function beginTransaction({ readOnly, timeoutMs }: TransactionLimits, { hasClient }: { hasClient: boolean }): string {
  const limit = Math.min(Math.max(1, Math.ceil(timeoutMs)), 2 ** 31 - 1)
  return [
    `BEGIN ${readOnly ? 'READ ONLY' : 'READ WRITE'}`,
    `SET LOCAL statement_timeout = ${limit}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${limit}`,
    // As the guard's parser reads quotes.
    'SET LOCAL standard_conforming_strings = on',
    "SET LOCAL datestyle = 'ISO'",
    "SET LOCAL bytea_output = 'hex'",
    hasClient ? NOTICE_LOST_CLIENT : 'SELECT 1',
  ].join('; ')
}

/** A rollback takes back what the statement set, `set_config(…, false)` included. */
export function endTransaction({ readOnly }: TransactionLimits): string {
  return readOnly ? 'ROLLBACK' : 'COMMIT'
}

/** What outlives a transaction: prepared statements, advisory locks, LISTEN, settings that were committed. */
export const CLEAN_SESSION = 'DISCARD ALL'
