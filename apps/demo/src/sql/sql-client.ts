/** The SQL interface for domains. Parameters are `$1`, `$2`, … and always bound. */

export type SqlValue = string | number | null

export type SqlRow = Readonly<Record<string, SqlValue>>

export interface SqlExecutor {
  /** Executes one statement and resolves to its rows. The list is empty if the statement returns no rows. */
  query<Row extends object = SqlRow>(sql: string, params?: readonly SqlValue[]): Promise<readonly Row[]>
}

export interface SqlClient extends SqlExecutor {
  /**
   * Runs `work` in a transaction and commits. Rolls back and rejects if `work` rejects. Inside, use only the given executor. `work` may run
   * again after a conflict, so it must have no side effects outside the database.
   */
  transaction<Result>(work: (executor: SqlExecutor) => Promise<Result>): Promise<Result>
  /** Closes the connection and rejects pending statements. A second call does nothing. */
  close(): Promise<void>
}

/**
 * - `in_use`: another process is using the file.
 * - `cannot_open`: the file isn't a database, isn't accessible, or doesn't belong to the demo.
 * - `statement_failed`: the database refused the statement.
 * - `closed`: the connection has ended, through `close` or a crash.
 */
export type SqlErrorCode = 'in_use' | 'cannot_open' | 'statement_failed' | 'closed'

/** A database that can't be used. The message is one line for a user. */
export class SqlError extends Error {
  override readonly name = 'SqlError'
  readonly code: SqlErrorCode

  constructor(code: SqlErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** Throws for a string that only one of the two databases would accept. */
export function assertStorable(params: readonly SqlValue[]): void {
  if (params.some((param) => typeof param === 'string' && param.includes('\0')))
    throw new SqlError('statement_failed', "A string contains a NUL character, which can't be stored.")
}
