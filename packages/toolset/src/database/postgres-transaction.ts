/** The transaction around each statement on PostgreSQL, as the server itself enforces it. */

export interface TransactionLimits {
  readonly readOnly: boolean
  readonly timeoutMs: number
}

/**
 * The `SELECT` takes the transaction's snapshot: from then on the server refuses to make a read-only transaction writable.
 * The settings of values are those that `toSqlValue` reads.
 */
export function beginTransaction({ readOnly, timeoutMs }: TransactionLimits): string {
  const limit = Math.min(Math.max(1, Math.ceil(timeoutMs)), 2 ** 31 - 1)
  return [
    `BEGIN ${readOnly ? 'READ ONLY' : 'READ WRITE'}`,
    `SET LOCAL statement_timeout = ${limit}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${limit}`,
    "SET LOCAL datestyle = 'ISO'",
    "SET LOCAL bytea_output = 'hex'",
    'SELECT 1',
  ].join('; ')
}

/** A rollback takes back what the statement set, `set_config(…, false)` included. */
export function endTransaction({ readOnly }: TransactionLimits): string {
  return readOnly ? 'ROLLBACK' : 'COMMIT'
}

/** What outlives a transaction: prepared statements, advisory locks, LISTEN, settings that were committed. */
export const CLEAN_SESSION = 'DISCARD ALL'
