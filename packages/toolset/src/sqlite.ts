/** Embedded SQLite for the database toolset: in a worker thread that is stopped when a statement takes too long. */
import { ToolError } from '@x/tool-core'
import { assertTime } from './database/limits.ts'
import type { SqlClient } from './database/sql-client.ts'
import { createSqliteClient } from './database/sqlite-client.ts'
import { toRealPath } from './database/sqlite-file.ts'
import { assertOption, assertOptions, isText } from './toolset/option.ts'

export interface SqliteOptions {
  /** Path of the database, or `:memory:`. */
  readonly file: string
  /**
   * False to create the file when it is missing and to write it: this process then owns it, by `FILE.owner` beside it. True
   * unless told, for a file: nothing is ever made or locked, so it may lie in a folder that cannot be written.
   */
  readonly readOnly?: boolean | undefined
  /** Your own SQL, of any number of statements, run once, when the database is opened for writing. */
  readonly setup?: string | undefined
  /** How long to wait for another process to let go of the file, also before each statement, in milliseconds. Default: 2,000. */
  readonly waitMs?: number | undefined
}

/**
 * Opens a database by the package `node-sqlite3-wasm`, which has to be installed. Statements run one after another. One that is
 * stopped costs the worker, and with it a database in memory: from then on everything rejects with `closed`.
 *
 * Nothing bounds the memory of a single statement: `zeroblob(900000000)` takes gigabytes, until the worker is replaced, which
 * is done after each statement that took much. A database in memory cannot be replaced and keeps them until it is closed.
 *
 * The package sees no locks of other SQLite programs: do not write a file from both at once. It opens no file in WAL mode.
 *
 * Rejects with a `ToolError` whose reason is `cannot_connect`, `busy` or `driver_missing`.
 */
export async function openSqlite(options: SqliteOptions): Promise<SqlClient> {
  assertOptions(options, 'openSqlite', "{ file: 'shop.db' }")
  const { file, readOnly = file !== ':memory:', setup, waitMs } = options
  assertOption(isText(file), 'openSqlite', 'file', 'the path of a database, or ":memory:"', file)
  assertOption(typeof readOnly === 'boolean', 'openSqlite', 'readOnly', 'true or false', readOnly)
  if (waitMs !== undefined) assertTime('openSqlite', 'waitMs', waitMs, 0)
  if (readOnly && setup !== undefined && file !== ':memory:') {
    throw new ToolError('invalid_definition', 'openSqlite: setup writes, so it needs readOnly: false.')
  }
  return createSqliteClient({
    file: file === ':memory:' ? file : toRealPath(file),
    readOnly,
    setup,
    waitMs,
    script: new URL('./database/sqlite-worker.js', import.meta.url),
  })
}
