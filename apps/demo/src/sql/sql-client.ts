/** What a domain needs of an SQL database; parameters are `$1`, `$2`, … and always bound. */

export type SqlValue = string | number | null

export type SqlRow = Readonly<Record<string, SqlValue>>

export interface SqlExecutor {
  /** The rows of one statement; none for a statement that returns nothing. */
  query<Row extends object = SqlRow>(sql: string, params?: readonly SqlValue[]): Promise<readonly Row[]>
}

export interface SqlClient extends SqlExecutor {
  /**
   * Runs `work` alone and commits; rolls back and rejects when it rejects. Inside, use only the executor that is given. `work`
   * may run again from its beginning when the database asks for it, so it changes nothing but the database.
   */
  transaction<Result>(work: (executor: SqlExecutor) => Promise<Result>): Promise<Result>
  /** Ends the connection; what waits is rejected. A second call does nothing. */
  close(): Promise<void>
}

/**
 * - `in_use`: another process works on the file. - `cannot_open`: the file is no database, not accessible or not ours.
 * - `statement_failed`: SQL that the database refused. - `closed`: the connection is gone, by `close` or by a crash.
 */
export type SqlErrorCode = 'in_use' | 'cannot_open' | 'statement_failed' | 'closed'

/** A database that cannot be used; the message is one line for a user. */
export class SqlError extends Error {
  override readonly name = 'SqlError'
  readonly code: SqlErrorCode

  constructor(code: SqlErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** Throws for a text that one of the databases would keep and the other refuse. */
export function assertStorable(params: readonly SqlValue[]): void {
  if (params.some((param) => typeof param === 'string' && param.includes('\0')))
    throw new SqlError('statement_failed', 'A text holds the character NUL, which cannot be kept.')
}
