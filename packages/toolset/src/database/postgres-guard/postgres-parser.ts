/** PostgreSQL's own parser, from the package `libpg-query`, in a thread that is terminated when a statement takes too long. */
import { createRequire } from 'node:module'
import { cleanWords, databaseError } from '../database-error.ts'
import type { SqlStatement } from '../sql-client.ts'
import { assertText } from '../statement-text.ts'
import { WorkerHost } from '../worker/worker-host.ts'

export interface PostgresParser {
  /** Rejects with `driver_missing`. */
  open(): Promise<void>
  /** Returns the syntax tree as JSON. Rejects with `sql_error`, `too_large` or `timeout`. */
  parse(statement: Pick<SqlStatement, 'sql' | 'timeoutMs' | 'signal'>): Promise<string>
  close(): Promise<void>
}

const OPEN_MS = 30_000

/** Returns undefined if the script can't find the package. The thread starts on `open` or on the first statement. */
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
 * A first check. It also accepts packages that the thread can't import, such as those in `NODE_PATH`. In that case, `open` reports the
 * error.
 */
function isInstalled(script: URL): boolean {
  try {
    createRequire(script).resolve('libpg-query')
    return true
  } catch {
    return false
  }
}
