/** Contract for an SQL database behind a toolset: one statement at a time, within limits. */

export type SqlDialect = 'sqlite' | 'postgres'

/** Values of parameters and rows. A value is text if no JavaScript type represents it exactly. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array

export interface SqlStatement {
  readonly sql: string
  /** Values bound to `$1`, `$2`, …, and on SQLite also to `?`. Never interpolated into the SQL. */
  readonly params?: readonly SqlValue[] | undefined
  /** If true, the database must refuse all changes by any statement. It still calls every function that the user may call. */
  readonly readOnly: boolean
  /** Maximum number of rows to read. */
  readonly maxRows: number
  /** Approximate number of bytes after which reading stops. */
  readonly maxBytes: number
  /**
   * Timeout for the statement alone, in milliseconds, excluding time in the queue. Waiting for a connection, or for the database to reopen,
   * may take equally long, and then rejects with `busy` or `cannot_connect`.
   */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export interface SqlResult {
  /** Column names in order. Names may repeat. */
  readonly columns: readonly string[]
  /** The values of each row, in column order. */
  readonly rows: readonly (readonly SqlValue[])[]
  /** True when there were more rows than the limits allow. */
  readonly truncated: boolean
  /** Number of changed rows, for a statement that may write. Undefined when the database doesn't report it. */
  readonly changes?: number | undefined
}

/** Checks model-written SQL. A toolset calls `check` before each such statement; `run` itself doesn't. */
export interface SqlGuard {
  /** Prepares the guard. Rejects with `driver_missing` when its parser isn't installed. */
  open(): Promise<void>
  /** Rejects with a `ToolError` for a statement that may not run. */
  check(statement: SqlStatement): Promise<void>
  /**
   * Lists rights of the database user that are a risk even if all statements are checked, such as `is a superuser`. Empty if there are
   * none.
   */
  findRisks(access: { readonly readOnly: boolean }): Promise<readonly string[]>
}

/**
 * A connection to a database. `run` runs each statement in its own transaction and rolls back when it is `readOnly` or fails.
 * Session settings never reach the next statement. Rejects with a `ToolError` whose `reason` is a `DatabaseReason`; only after
 * `outcome_unknown` may a write have been saved.
 */
export interface SqlClient {
  readonly dialect: SqlDialect
  run(statement: SqlStatement): Promise<SqlResult>
  /**
   * Stops running statements and rolls them back, except those that reject with `outcome_unknown`. A second call does nothing.
   */
  close(): Promise<void>
  /** Required for model-written SQL on PostgreSQL. */
  readonly guard?: SqlGuard | undefined
}
