/** SQLite in a worker thread behind the `SqlClient` contract. */
import { cleanWords, databaseError } from './database-error.ts'
import { ownFile, type Release } from './file-owner.ts'
import type { SqlClient, SqlStatement, SqlValue } from './sql-client.ts'
import { assertReadable, cannotOpen } from './sqlite-file.ts'
import { isExplained, scanOne, verbOf } from './sqlite-guard.ts'
import { WorkerHost } from './worker-host.ts'

export interface SqliteSettings {
  /** Absolute path, or `:memory:`. */
  readonly file: string
  readonly readOnly: boolean
  readonly setup?: string | undefined
  readonly waitMs?: number | undefined
  readonly script: URL
}

/** To start the thread and to read the file. */
const OPEN_MS = 10_000
const WAIT_MS = 2000

export async function createSqliteClient({
  file,
  readOnly,
  setup,
  waitMs = WAIT_MS,
  script,
}: SqliteSettings): Promise<SqlClient> {
  const isInMemory = file === ':memory:'
  let release: Release = { ended() {}, done() {} }
  if (!isInMemory) {
    if (readOnly) assertReadable(file)
    else release = await ownFile(file, { waitMs })
  }
  const host = new WorkerHost({
    script,
    settings: { file, readOnly, waitMs: Math.ceil(waitMs) },
    setup,
    isDurable: !isInMemory,
    openMs: waitMs + OPEN_MS,
    toError: ({ reason = 'sql_error', words }) => databaseError(reason, cleanWords(words)),
    onEnd: release.ended,
  })
  const close = async () => {
    await host.close()
    release.done()
  }
  try {
    await host.open()
  } catch (error) {
    await close()
    throw cannotOpen(error)
  }
  return {
    dialect: 'sqlite',
    // As an async function, so that what is wrong with a statement rejects as everything else does.
    run: async (statement) => {
      const { timeoutMs, signal, ...rest } = statement
      const scanned = scanOne(rest.sql)
      // It has its effect on the connection when it is prepared, also behind EXPLAIN, and no transaction takes that back.
      if (verbOf(scanned).verb === 'PRAGMA') throw databaseError('statement_not_allowed', 'PRAGMA is not allowed.')
      const params = toBindings(statement, scanned.placeholders)
      return host.run({ kind: 'run', ...rest, params, isExplained: isExplained(scanned) }, { timeoutMs, signal })
    },
    close,
  }
}

/** SQLite numbers `$2` by where it stands, so those are bound by name. */
function toBindings(
  { params = [] }: SqlStatement,
  placeholders: readonly string[],
): readonly SqlValue[] | Record<string, SqlValue> {
  if (params.some((param) => typeof param === 'string' && param.includes('\0'))) {
    throw databaseError('sql_error', 'A text among the params holds the character NUL, which cannot be kept.')
  }
  const names = [...new Set(placeholders)]
  const wanted = names.every((name) => name === '?') ? placeholders.length : Math.max(...names.map(numberOf))
  if (wanted !== params.length) {
    throw databaseError(
      'sql_error',
      `The statement has ${Number.isNaN(wanted) ? 'named' : wanted} parameters, and ${params.length} params were given.`,
    )
  }
  if (names.every((name) => name === '?')) return params
  return Object.fromEntries(names.map((name) => [name, params[numberOf(name) - 1] ?? null]))
}

/** Not a number for `:name`, which cannot be bound here, and for a `?` beside a `$1`. */
function numberOf(placeholder: string): number {
  return /^[$?][1-9][0-9]{0,4}$/.test(placeholder) ? Number(placeholder.slice(1)) : Number.NaN
}
