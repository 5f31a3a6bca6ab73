/**
 * PGlite (PostgreSQL without a server) for the database toolset. It runs in a worker thread, which is terminated when a statement takes too
 * long.
 */

import { createPgliteClient } from './database/pglite/pglite-client.ts'
import { guarded } from './database/postgres-guard/postgres-guard.ts'
import type { SqlClient } from './database/sql-client.ts'
import { toRealPath } from './database/sqlite/sqlite-file.ts'
import { assertNames, assertOption, assertOptions, assertTime, isText } from './option.ts'

export interface PgliteOptions {
  /**
   * Folder of the database. Created if it is missing. While the database is open, an owner file beside the folder reserves it for this
   * process: `data.owner` for `data`. Default: in memory.
   */
  readonly folder?: string | undefined
  /** Your own SQL, with any number of statements. Runs once, when the database is opened. */
  readonly setup?: string | undefined
  /** Your own functions and types, or those of an extension, that a model's SQL may use. See `openPostgres`. */
  readonly functions?: readonly string[] | undefined
  /** Maximum time to wait for another process to release the folder, in milliseconds. Default: 2,000. */
  readonly waitMs?: number | undefined
}

/**
 * Opens a database with the package `@electric-sql/pglite`, which you install. Creating a database takes several seconds and several
 * hundred megabytes.
 *
 * Statements run one at a time, as a superuser whose functions can reach the database's own files. A toolset that takes SQL therefore needs
 * `trusted: true` and the package `libpg-query`.
 *
 * PGlite can't be interrupted, so stopping a statement terminates the worker. The next statement then waits until the folder is open again.
 * An in-memory database is lost, and later calls reject with `closed`.
 *
 * Rejects with a `ToolError` whose reason is `cannot_connect`, `busy` or `driver_missing`.
 */
export async function openPglite(options: PgliteOptions = {}): Promise<SqlClient> {
  assertOptions(options, 'openPglite', "{ folder: 'data' }")
  const { folder, setup, functions, waitMs } = options
  assertOption(folder === undefined || isText(folder), 'openPglite', 'folder', 'a folder path', folder)
  assertNames(functions, 'openPglite', 'functions')
  if (waitMs !== undefined) assertTime('openPglite', 'waitMs', waitMs, 0)
  const client = await createPgliteClient({
    folder: folder === undefined ? undefined : toRealPath(folder),
    setup,
    waitMs,
    script: new URL('./database/pglite/pglite-worker.js', import.meta.url),
  })
  return guarded(client, {
    functions,
    risks: ['is always a superuser in PGlite'],
    script: new URL('./database/postgres-guard/postgres-parser-worker.js', import.meta.url),
  })
}
