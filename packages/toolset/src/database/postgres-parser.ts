/** PostgreSQL's own parser, from the package `libpg-query`, in a thread that is stopped when a text takes too long. */
import { createRequire } from 'node:module'
import { cleanWords, databaseError } from './database-error.ts'
import type { SqlStatement } from './sql-client.ts'
import { assertText } from './statement-text.ts'
import { WorkerHost } from './worker-host.ts'

export interface PostgresParser {
  /** Rejects with `driver_missing`. */
  open(): Promise<void>
  /** The syntax tree, as JSON. Rejects with `sql_error`, `too_large` or `timeout`. */
  parse(statement: Pick<SqlStatement, 'sql' | 'timeoutMs' | 'signal'>): Promise<string>
  close(): Promise<void>
}

const OPEN_MS = 30_000

/** Undefined where the package is not installed beside the script. Its thread starts when it is opened, or with the first text. */
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

/** A first look, which also finds what the thread cannot import, such as a package in `NODE_PATH`: opening it finds that out. */
function isInstalled(script: URL): boolean {
  try {
    createRequire(script).resolve('libpg-query')
    return true
  } catch {
    return false
  }
}
