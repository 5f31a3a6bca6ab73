/** The last layer: refuses by its text what a model has no business with. What keeps data safe are the layers below it. */
import { databaseError } from './database-error.ts'
import type { SqlDialect } from './sql-client.ts'
import { type ScannedSql, scanSql } from './sql-scanner.ts'

export interface GuardOptions {
  readonly dialect: SqlDialect
  readonly readOnly: boolean
}

export const MAX_SQL_LENGTH = 100_000

const READING: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE', 'SHOW'])
const WRITING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'MERGE', 'TRUNCATE'])
const DEFINING: ReadonlySet<string> = new Set(['CREATE', 'ALTER', 'DROP'])
/** Of databases' many kinds of objects, those that hold data and nothing else. */
const DEFINABLE: ReadonlySet<string> = new Set(['TABLE', 'INDEX', 'UNIQUE', 'VIEW'])
/** Beginnings of functions that reach files, programs, other connections or the session. */
const FORBIDDEN_CALLS: readonly string[] = [
  'load_extension',
  'set_config',
  'dblink',
  'lo_',
  'pg_read_',
  'pg_ls_',
  'pg_stat_file',
  'pg_file_',
  'pg_terminate_backend',
  'pg_cancel_backend',
  'pg_reload_conf',
  'pg_rotate_logfile',
  'pg_promote',
  'pg_switch_wal',
  'pg_create_',
  'pg_drop_',
  'pg_copy_',
  'pg_logical_',
  'pg_replication_',
  'pg_backup_',
  'pg_advisory_',
  'pg_try_advisory_',
]

/** Throws `multi_statement`, `statement_not_allowed`, `read_only_violation` or `too_large`. */
export function assertAllowed(sql: string, { dialect, readOnly }: GuardOptions): void {
  const scanned = scanOne(sql, dialect)
  const forbidden = [...scanned.calls].find((name) => FORBIDDEN_CALLS.some((beginning) => name.startsWith(beginning)))
  if (forbidden !== undefined) throw databaseError('statement_not_allowed', `The function ${forbidden} may not be called.`)
  const { verb, object } = verbOf(scanned)
  if (WRITING.has(verb) || DEFINING.has(verb)) {
    if (readOnly) throw databaseError('read_only_violation', `${verb} would change data, and this is for reading only.`)
    if (DEFINING.has(verb) && !DEFINABLE.has(object)) throw notAllowed(`${verb} ${object}`)
    return
  }
  if (!READING.has(verb)) throw notAllowed(verb === '' ? 'This' : verb)
}

/** The text, when it is one statement; throws `multi_statement`, `too_large` or `sql_error`. */
export function scanOne(sql: string, dialect: SqlDialect): ScannedSql {
  if (sql.length > MAX_SQL_LENGTH) {
    throw databaseError('too_large', `The statement is longer than ${MAX_SQL_LENGTH} characters. Bind long values as params.`)
  }
  // Drivers hand the text to C code, which would silently stop reading here.
  if (sql.includes('\0')) throw databaseError('sql_error', 'The statement holds the character NUL.')
  const scanned = scanSql(sql, dialect)
  if (scanned.statements === 0) throw databaseError('sql_error', 'The statement is empty.')
  if (scanned.statements > 1) throw databaseError('multi_statement', 'Send one statement at a time; this text holds several.')
  return scanned
}

export function isExplained({ words }: ScannedSql): boolean {
  return words[0]?.word === 'EXPLAIN'
}

const EXPLAIN_OPTIONS: ReadonlySet<string> = new Set(['ANALYZE', 'ANALYSE', 'VERBOSE', 'QUERY', 'PLAN'])

/** What the statement does, and to what kind of object; behind `EXPLAIN` what it would do, since that may run it. */
export function verbOf({ words }: Pick<ScannedSql, 'words'>): { verb: string; object: string } {
  const [first] = words
  const start =
    first?.word === 'EXPLAIN'
      ? words.findIndex(({ word, depth }, index) => index > 0 && depth <= first.depth && !EXPLAIN_OPTIONS.has(word))
      : 0
  return { verb: words[start]?.word ?? '', object: words[start + 1]?.word ?? '' }
}

function notAllowed(what: string): Error {
  return databaseError('statement_not_allowed', `${what} is not allowed here. Send a statement that reads or writes rows.`)
}
