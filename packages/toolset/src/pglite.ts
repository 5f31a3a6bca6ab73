/** PGlite, a PostgreSQL without a server, for the database toolset: in a worker thread that is stopped when a statement takes too long. */
import { assertTime } from './database/limits.ts'
import { createPgliteClient } from './database/pglite-client.ts'
import { guarded } from './database/postgres-guard.ts'
import type { SqlClient } from './database/sql-client.ts'
import { toRealPath } from './database/sqlite-file.ts'
import { assertNames, assertOption, assertOptions, isText } from './toolset/option.ts'

export interface PgliteOptions {
  /** Folder of the database, made when it is missing. This process then owns it, by `FOLDER.owner` beside it. Default: in memory. */
  readonly folder?: string | undefined
  /** Your own SQL, of any number of statements, run once, when the database is opened. */
  readonly setup?: string | undefined
  /** Functions and types of your own, or of extensions, that the SQL of a model may use: as for `openPostgres`. */
  readonly functions?: readonly string[] | undefined
  /** How long to wait for another process to let go of the folder, in milliseconds. Default: 2,000. */
  readonly waitMs?: number | undefined
}

/**
 * Opens a database by the package `@electric-sql/pglite`, which has to be installed. A new one takes some seconds and several
 * hundred megabytes. Statements run one after another, as a superuser, whose functions reach the database's own files: so a toolset
 * that takes SQL needs `trusted: true` for it, and the package `libpg-query`. A statement that is
 * stopped costs the worker, since PGlite cannot be interrupted: the next one waits until the folder is open again, and a
 * database in memory is lost, so that from then on everything rejects with `closed`.
 *
 * Rejects with a `ToolError` whose reason is `cannot_connect`, `busy` or `driver_missing`.
 */
export async function openPglite(options: PgliteOptions = {}): Promise<SqlClient> {
  assertOptions(options, 'openPglite', "{ folder: 'data' }")
  const { folder, setup, functions, waitMs } = options
  assertOption(folder === undefined || isText(folder), 'openPglite', 'folder', 'the path of a folder', folder)
  assertNames(functions, 'openPglite', 'functions')
  if (waitMs !== undefined) assertTime('openPglite', 'waitMs', waitMs, 0)
  const client = await createPgliteClient({
    folder: folder === undefined ? undefined : toRealPath(folder),
    setup,
    waitMs,
    script: new URL('./database/pglite-worker.js', import.meta.url),
  })
  return guarded(client, {
    functions,
    risks: ['is always a superuser in PGlite'],
    script: new URL('./database/postgres-parser-worker.js', import.meta.url),
  })
}
