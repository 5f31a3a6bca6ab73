/** Runs PostgreSQL's own parser, from the package `libpg-query`, in a thread. The thread is terminated when a statement takes too long. */
import { createRequire } from 'node:module'
import { cleanWords, databaseError } from '../database-error.ts'
import type { SqlStatement } from '../sql-client.ts'
import { assertText } from '../statement-text.ts'
import { WorkerHost } from '../worker/worker-host.ts'

export interface PostgresParser {
  /** Loads the parser. Rejects with `driver_missing` if it isn't installed. */
  open(): Promise<void>
  /** Returns the syntax tree as JSON. Rejects with `sql_error`, `too_large` or `timeout`. */
  parse(statement: Pick<SqlStatement, 'sql' | 'timeoutMs' | 'signal'>): Promise<string>
  close(): Promise<void>
}

const OPEN_MS = 120_000

/** Creates a parser. Returns undefined if the script can't find the package. The thread starts on `open`, or for the first statement. */
export function createPostgresParser(script: URL): PostgresParser | undefined {
  if (!isInstalled(script)) return undefined
  const host = new WorkerHost({
    script,
    settings: {},
    setup: undefined,
    isDurable: true,
    openMs: OPEN_MS,
    toError: ({ reason = 'sql_error', words }) => databaseError(reason, cleanWords(words)),
  })
  return {
    open: () => host.open(),
    parse: async ({ sql, timeoutMs, signal }) => {
      assertText(sql)
      if (sql.trim() === '') return '{}'
      const { rows } = await host.run({ kind: 'run', sql }, { timeoutMs, signal })
      return String(rows[0]?.[0])
    },
    close: () => host.close(),
  }
}

/**
 * True if the package is probably installed. Also true for packages that the thread can't import, such as those in `NODE_PATH`. `open` then
 * reports the error.
 */
function isInstalled(script: URL): boolean {
  try {
    createRequire(script).resolve('libpg-query')
    return true
  } catch {
    return false
  }
}
