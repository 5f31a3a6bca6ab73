/** Embedded SQLite for the database toolset. It runs in a worker thread, which is terminated when a statement takes too long. */
import { ToolError } from '@x/tool-core'
import type { SqlClient } from './database/sql-client.ts'
import { createSqliteClient } from './database/sqlite/sqlite-client.ts'
import { toRealPath } from './database/sqlite/sqlite-file.ts'
import { assertOption, assertOptions, assertTime, isText } from './option.ts'

export interface SqliteOptions {
  /** Path of the database, or `:memory:`. */
  readonly file: string
  /**
   * Opens the file read-only. Nothing is created or locked, so the file may be in a folder without write permission. With false, a missing
   * file is created, and an owner file beside it reserves the file for this process: `shop.db.owner` for `shop.db`. Default: true for a
   * file, false for `:memory:`.
   */
  readonly readOnly?: boolean | undefined
  /** Your own SQL, with any number of statements. Runs once, when the database is opened for writing. */
  readonly setup?: string | undefined
  /** Maximum time to wait for another process to release the file, in milliseconds. Also applies before each statement. Default: 2,000. */
  readonly waitMs?: number | undefined
}

/**
 * Opens a database with the package `node-sqlite3-wasm`, which you install. Statements run one at a time. Stopping a statement terminates
 * the worker and loses an in-memory database. Later calls then reject with `closed`.
 *
 * The memory of a single statement isn't limited: `zeroblob(900000000)` takes gigabytes until the worker is replaced, which happens after
 * each statement that used a lot of memory. With an in-memory database, the worker can't be replaced, so the memory stays in use until the
 * database is closed.
 *
 * The package ignores the locks of other SQLite programs, so don't let both write to a file at once. It can't open a file in WAL mode.
 *
 * Rejects with a `ToolError` whose reason is `cannot_connect`, `busy` or `driver_missing`.
 */
export async function openSqlite(options: SqliteOptions): Promise<SqlClient> {
  assertOptions(options, 'openSqlite', "{ file: 'shop.db' }")
  const { file, readOnly = file !== ':memory:', setup, waitMs } = options
  assertOption(isText(file), 'openSqlite', 'file', 'a database path, or ":memory:"', file)
  assertOption(typeof readOnly === 'boolean', 'openSqlite', 'readOnly', 'true or false', readOnly)
  if (waitMs !== undefined) assertTime('openSqlite', 'waitMs', waitMs, 0)
  if (readOnly && setup !== undefined && file !== ':memory:') {
    throw new ToolError('invalid_definition', 'openSqlite: setup writes to the file. Pass readOnly: false with it.')
  }
  return createSqliteClient({
    file: file === ':memory:' ? file : toRealPath(file),
    readOnly,
    setup,
    waitMs,
    script: new URL('./database/sqlite/sqlite-worker.js', import.meta.url),
  })
}
