/** PGlite, a PostgreSQL in WebAssembly, in a worker thread behind the `SqlClient` contract. */
import { cleanWords, databaseError } from './database-error.ts'
import { statementFailed } from './postgres-failure.ts'
import { beginTransaction, CLEAN_SESSION, endTransaction } from './postgres-transaction.ts'
import { changesOf, toPostgresText, toSqlValue } from './postgres-value.ts'
import type { SqlClient } from './sql-client.ts'
import { assertReachesNoFile, scanOne } from './statement-guard.ts'
import { WorkerHost } from './worker-host.ts'

export interface PgliteSettings {
  /** Absolute path; undefined for a database in memory. */
  readonly folder: string | undefined
  readonly setup?: string | undefined
  readonly script: URL
}

/** Making a new database takes some seconds, more on a busy machine. */
const OPEN_MS = 120_000

export async function createPgliteClient({ folder, setup, script }: PgliteSettings): Promise<SqlClient> {
  const host = new WorkerHost({
    script,
    settings: { folder },
    setup,
    isDurable: folder !== undefined,
    openMs: OPEN_MS,
    toError: ({ reason, code, words }) =>
      reason === undefined ? statementFailed({ code, message: words }, 0) : databaseError(reason, cleanWords(words)),
  })
  await host.open().catch(async (error: unknown) => {
    await host.close()
    throw error
  })
  return {
    dialect: 'postgres',
    run: async (statement) => {
      const { sql, params = [], readOnly, maxRows, maxBytes, timeoutMs, signal } = statement
      // Its user is a superuser, and its own files lie where COPY can write.
      assertReachesNoFile(scanOne(sql, 'postgres'))
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
    close: () => host.close(),
  }
}
