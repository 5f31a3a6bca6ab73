/** What a toolset needs of an SQL database: one statement at a time, within limits. */

export type SqlDialect = 'sqlite' | 'postgres'

/** As databases give and take them; text where JavaScript has no type that holds the value exactly. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array

export interface SqlStatement {
  /** One statement. */
  readonly sql: string
  /** Bound, never written into the text: to `$1`, `$2`, … and on SQLite also to `?`. */
  readonly params?: readonly SqlValue[] | undefined
  /** The database refuses to change anything, whatever the text says; it still calls any function that the user may call. */
  readonly readOnly: boolean
  /** Rows after which reading stops. */
  readonly maxRows: number
  /** Bytes of values, about, after which reading stops. */
  readonly maxBytes: number
  /**
   * For the statement alone, in milliseconds; waiting for statements before it is not counted. Waiting for a connection, or until
   * the database is open again, may take as long once more: then it rejects with `busy` or `cannot_connect`.
   */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export interface SqlResult {
  /** In order; two may have the same name. */
  readonly columns: readonly string[]
  /** The values of each row, in the order of the columns. */
  readonly rows: readonly (readonly SqlValue[])[]
  /** True when there were more rows than the limits allow. */
  readonly truncated: boolean
  /** Rows that the statement changed; only of one that may change something, and undefined when the database does not tell. */
  readonly changes?: number | undefined
}

/** Keeps SQL that a model wrote from doing harm. A toolset asks it before each such statement; `run` itself does not. */
export interface SqlGuard {
  /** Rejects with `driver_missing` when it cannot read SQL. */
  open(): Promise<void>
  /** Rejects with a `ToolError` unless the statement is one that may run. */
  check(statement: SqlStatement): Promise<void>
  /** What the database's user may do that no look at a statement holds back, in words: `is a superuser`. Empty when there is nothing. */
  findRisks(access: { readonly readOnly: boolean }): Promise<readonly string[]>
}

/**
 * A database. `run` gives each statement a transaction of its own, which is rolled back when it is `readOnly` and also when it
 * fails; nothing that a statement sets in its session reaches the next one. It rejects with a `ToolError` whose `reason` is a
 * `DatabaseReason`; of those only `outcome_unknown` says that a write may have been kept.
 */
export interface SqlClient {
  readonly dialect: SqlDialect
  run(statement: SqlStatement): Promise<SqlResult>
  /** Breaks off what runs; nothing of it is kept, unless it rejects with `outcome_unknown`. A second call does nothing. */
  close(): Promise<void>
  /** Needed for SQL of a model on PostgreSQL. */
  readonly guard?: SqlGuard | undefined
}
