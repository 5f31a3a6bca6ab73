/** PGlite, a PostgreSQL without a server, for the database toolset: in a worker thread that is stopped when a statement takes too long. */
import { resolve } from 'node:path'
import { createPgliteClient } from './database/pglite-client.ts'
import type { SqlClient } from './database/sql-client.ts'
import { assertOption, assertOptions, isText } from './option.ts'

export interface PgliteOptions {
  /** Folder of the database, made when it is missing; in memory unless told. One process at a time may use it. */
  readonly folder?: string | undefined
  /** Your own SQL, of any number of statements, run once, when the database is opened. */
  readonly setup?: string | undefined
}

/**
 * Opens a database by the package `@electric-sql/pglite`, which has to be installed. A new one takes some seconds and several
 * hundred megabytes. Statements run one after another, as a superuser: read-only transactions protect the data, and statements
 * and functions that reach files are refused by their text, since its own files lie where they could write. One that is
 * stopped costs the worker, since PGlite cannot be interrupted: the next one waits until the folder is open again, and a
 * database in memory is lost, so that from then on everything rejects with `closed`.
 *
 * Rejects with a `ToolError` whose reason is `cannot_connect` or `driver_missing`.
 */
export async function openPglite(options: PgliteOptions = {}): Promise<SqlClient> {
  assertOptions(options, 'openPglite', "{ folder: 'data' }")
  const { folder, setup } = options
  assertOption(folder === undefined || isText(folder), 'openPglite', 'folder', 'the path of a folder', folder)
  return createPgliteClient({
    folder: folder === undefined ? undefined : resolve(folder),
    setup,
    script: new URL('./database/pglite-worker.js', import.meta.url),
  })
}
