/** Implements `SqlClient` for PGlite (PostgreSQL in WebAssembly) with a worker thread. */
import { cleanWords, databaseError } from '../database-error.ts'
import { ownFolder } from '../file-owner.ts'
import { statementFailed } from '../postgres/postgres-failure.ts'
import { beginTransaction, CLEAN_SESSION, endTransaction } from '../postgres/postgres-transaction.ts'
import { changesOf, toPostgresText, toSqlValue } from '../postgres/postgres-value.ts'
import type { SqlClient } from '../sql-client.ts'
import { assertText } from '../statement-text.ts'
import { WorkerHost } from '../worker/worker-host.ts'

export interface PgliteSettings {
  /** Absolute path of the folder. Undefined for an in-memory database. */
  readonly folder: string | undefined
  readonly setup?: string | undefined
  readonly waitMs?: number | undefined
  readonly script: URL
}

/** Timeout for opening a database. Creating one takes several seconds, or longer on a busy machine. */
const OPEN_MS = 120_000

export async function createPgliteClient({ folder, setup, waitMs, script }: PgliteSettings): Promise<SqlClient> {
  // Two processes would each cache pages of the folder and overwrite each other's changes.
  const release = folder === undefined ? () => {} : await ownFolder(folder, { waitMs })
  const host = new WorkerHost({
    script,
    settings: { folder },
    setup,
    isDurable: folder !== undefined,
    openMs: OPEN_MS,
    toError: ({ reason, code, words }) =>
      reason === undefined ? statementFailed({ code, message: words }, 0) : databaseError(reason, cleanWords(words)),
  })
  const close = async () => {
    await host.close()
    release()
  }
  await host.open().catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    dialect: 'postgres',
    run: async (statement) => {
      const { sql, params = [], readOnly, maxRows, maxBytes, timeoutMs, signal } = statement
      assertText(sql)
      const {
        columns,
        rows,
        types = [],
        truncated,
        command = '',
        returned = 0,
      } = await host.run(
        {
          kind: 'run',
          sql,
          values: params.map(toPostgresText),
          maxRows,
          maxBytes,
          readOnly,
          begin: beginTransaction(statement, { hasClient: false }),
          end: endTransaction(statement),
          clean: CLEAN_SESSION,
        },
        { timeoutMs, signal },
      )
      return {
        columns,
        rows: rows.map((row) => row.map((text, index) => toSqlValue(text as string | null, types[index] ?? 0))),
        truncated,
        ...(!readOnly && { changes: changesOf(command, returned) }),
      }
    },
    close,
  }
}
