/** Implements `SqlClient` for SQLite with a worker thread. */
import { cleanWords, databaseError } from '../database-error.ts'
import { ownFile, type Release } from '../file-owner.ts'
import type { SqlClient, SqlStatement, SqlValue } from '../sql-client.ts'
import { WorkerHost } from '../worker/worker-host.ts'
import { assertReadable, cannotOpen } from './sqlite-file.ts'
import { isExplained, scanOne, verbOf } from './sqlite-guard.ts'

export interface SqliteSettings {
  /** Absolute path of the file, or `:memory:`. */
  readonly file: string
  readonly readOnly: boolean
  readonly setup?: string | undefined
  readonly waitMs?: number | undefined
  readonly script: URL
}

/** Timeout for starting the thread and reading the file, which takes longer on a busy machine. */
const OPEN_MS = 120_000
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
    // Async, so that an invalid statement rejects like every other failure.
    run: async (statement) => {
      const { timeoutMs, signal, ...rest } = statement
      const scanned = scanOne(rest.sql)
      // A PRAGMA changes the connection as soon as it is prepared, even after EXPLAIN, and no transaction can undo that.
      if (verbOf(scanned).verb === 'PRAGMA') throw databaseError('statement_not_allowed', 'PRAGMA is not allowed.')
      const params = toBindings(statement, scanned.placeholders)
      return host.run({ kind: 'run', ...rest, params, isExplained: isExplained(scanned) }, { timeoutMs, signal })
    },
    close,
  }
}

/** Binds a parameter such as `$2` by its name, because SQLite would number it by its position. */
function toBindings(
  { params = [] }: SqlStatement,
  placeholders: readonly string[],
): readonly SqlValue[] | Record<string, SqlValue> {
  if (params.some((param) => typeof param === 'string' && param.includes('\0'))) {
    throw databaseError('sql_error', 'A string in params contains the character NUL, which cannot be stored.')
  }
  const names = [...new Set(placeholders)]
  const numbered = names.filter((name) => name !== '?')
  const named = numbered.find((name) => Number.isNaN(numberOf(name)))
  if (named !== undefined) throw databaseError('sql_error', `The parameter ${named} has no number. Use $1, $2, … instead.`)
  if (numbered.length > 0 && numbered.length < names.length) {
    throw databaseError('sql_error', `The statement mixes ? with ${numbered[0]}. Use $1, $2, … for all parameters.`)
  }
  const wanted = numbered.length === 0 ? placeholders.length : Math.max(...numbered.map(numberOf))
  if (wanted !== params.length) {
    throw databaseError('sql_error', `The statement has ${wanted} parameters, but params has ${params.length} values.`)
  }
  if (numbered.length === 0) return params
  return Object.fromEntries(names.map((name) => [name, params[numberOf(name) - 1] ?? null]))
}

/** Returns the number of a placeholder. NaN for `:name`, which isn't supported. */
function numberOf(placeholder: string): number {
  return /^[$?][1-9][0-9]{0,4}$/.test(placeholder) ? Number(placeholder.slice(1)) : Number.NaN
}
