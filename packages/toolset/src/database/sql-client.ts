/** The contract for an SQL database behind a toolset: run one statement at a time, within limits. */

export type SqlDialect = 'sqlite' | 'postgres'

/** A value of a parameter or a row. It's a string if no JavaScript type represents the value exactly. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array

export interface SqlStatement {
  readonly sql: string
  /** Values for `$1`, `$2`, …, and on SQLite also for `?`. They are never inserted into the SQL text. */
  readonly params?: readonly SqlValue[] | undefined
  /** If true, the database must refuse every change, whatever the statement. Functions that the user may call still run. */
  readonly readOnly: boolean
  /** Maximum number of rows to read. */
  readonly maxRows: number
  /** Approximate number of bytes after which reading stops. */
  readonly maxBytes: number
  /**
   * Timeout for the statement alone, in milliseconds. Time in the queue doesn't count. Waiting for a connection, or for the database to
   * reopen, may take equally long and then rejects with `busy` or `cannot_connect`.
   */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export interface SqlResult {
  /** The column names in order. A name may occur more than once. */
  readonly columns: readonly string[]
  /** The values of each row, in column order. */
  readonly rows: readonly (readonly SqlValue[])[]
  /** True if there were more rows than the limits allow. */
  readonly truncated: boolean
  /** Number of changed rows, for a statement that may write. Undefined if the database doesn't report it. */
  readonly changes?: number | undefined
}

/** Checks SQL that a model wrote. A toolset calls `check` before each such statement, because `run` doesn't. */
export interface SqlGuard {
  /** Prepares the guard. Rejects with `driver_missing` if its parser isn't installed. */
  open(): Promise<void>
  /** Rejects with a `ToolError` for a statement that may not run. */
  check(statement: SqlStatement): Promise<void>
  /**
   * Lists rights of the database user that are a risk even if every statement is checked, such as `is a superuser`. Empty if there is no
   * such right.
   */
  findRisks(access: { readonly readOnly: boolean }): Promise<readonly string[]>
}

/**
 * A connection to a database. `run` runs each statement in its own transaction, and rolls it back if the statement is `readOnly` or fails.
 * Settings of a session never affect the next statement. Rejects with a `ToolError` whose `reason` is a `DatabaseReason`. A write that
 * fails has saved nothing, except possibly after `outcome_unknown`.
 */
export interface SqlClient {
  readonly dialect: SqlDialect
  run(statement: SqlStatement): Promise<SqlResult>
  /** Stops running statements and rolls them back, except those that reject with `outcome_unknown`. A second call has no effect. */
  close(): Promise<void>
  /** Checks statements. Without a guard, a toolset refuses SQL that a model wrote for PostgreSQL. */
  readonly guard?: SqlGuard | undefined
}
