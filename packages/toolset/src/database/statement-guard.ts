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
/** Beginnings of functions that reach files or programs, or run a text that nothing here looks at. */
const FILE_CALLS: readonly string[] = [
  'load_extension',
  'lo_',
  'loread',
  'lowrite',
  'pg_read_',
  'pg_ls_',
  'pg_stat_file',
  'pg_file_',
  'query_to_xml',
  'cursor_to_xml',
  'table_to_xml',
  'schema_to_xml',
  'database_to_xml',
]
/** Of those that reach other connections, the server or the session. */
const SESSION_CALLS: readonly string[] = [
  'set_config',
  'dblink',
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
  'pg_stat_reset',
]
/** Statements that reach files, or run a text. */
const FILE_VERBS: ReadonlySet<string> = new Set(['COPY', 'LOAD', 'DO', 'CALL'])
const PATH_PRAGMAS: ReadonlySet<string> = new Set([
  'pragma_database_list',
  'pragma_data_store_directory',
  'pragma_temp_store_directory',
])

/** Throws `multi_statement`, `statement_not_allowed`, `read_only_violation` or `too_large`. */
export function assertAllowed(sql: string, { dialect, readOnly }: GuardOptions): void {
  const scanned = scanOne(sql, dialect)
  assertCalls(scanned, [...SESSION_CALLS, ...FILE_CALLS])
  const { verb, object } = verbOf(scanned)
  if (WRITING.has(verb) || DEFINING.has(verb)) {
    if (readOnly) throw databaseError('read_only_violation', `${verb} would change data, and this is for reading only.`)
    if (DEFINING.has(verb) && !DEFINABLE.has(object)) throw notDefinable(verb, object)
    return
  }
  if (!READING.has(verb)) throw notAllowed(verb === '' ? 'This' : verb)
}

/** The text, when it is one statement that can be read; throws `multi_statement`, `statement_not_allowed`, `too_large` or `sql_error`. */
export function scanOne(sql: string, dialect: SqlDialect): ScannedSql {
  if (sql.length > MAX_SQL_LENGTH) {
    throw databaseError('too_large', `The statement is longer than ${MAX_SQL_LENGTH} characters. Bind long values as params.`)
  }
  // Drivers hand the text to C code, which would silently stop reading here.
  if (sql.includes('\0')) throw databaseError('sql_error', 'The statement holds the character NUL.')
  const scanned = scanSql(sql, dialect)
  if (scanned.statements === 0) throw databaseError('sql_error', 'The statement is empty.')
  if (scanned.statements > 1) throw databaseError('multi_statement', 'Send one statement at a time; this text holds several.')
  if (scanned.hasEscapedName) throw databaseError('statement_not_allowed', 'Write names without U&.')
  const telling = [...scanned.pragmas].find((name) => PATH_PRAGMAS.has(name))
  if (telling !== undefined) throw databaseError('statement_not_allowed', `${telling} may not be read: it tells where files are.`)
  return scanned
}

/** Throws `statement_not_allowed` for what reaches files, for a database whose user may do so. */
export function assertReachesNoFile(scanned: ScannedSql): void {
  const { verb } = verbOf(scanned)
  if (FILE_VERBS.has(verb)) throw notAllowed(verb)
  assertCalls(scanned, FILE_CALLS)
}

function assertCalls({ calls }: ScannedSql, forbidden: readonly string[]): void {
  const found = [...calls].find((name) => forbidden.some((beginning) => name.startsWith(beginning)))
  if (found !== undefined) throw databaseError('statement_not_allowed', `The function ${found} may not be called.`)
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
  const isReplaced = words[start + 1]?.word === 'OR' && words[start + 2]?.word === 'REPLACE'
  return { verb: words[start]?.word ?? '', object: words[start + (isReplaced ? 3 : 1)]?.word ?? '' }
}

function notAllowed(what: string): Error {
  return databaseError('statement_not_allowed', `${what} is not allowed here. Send a statement that reads or writes rows.`)
}

function notDefinable(verb: string, object: string): Error {
  const words =
    object === 'TEMP' || object === 'TEMPORARY'
      ? 'A temporary table or view would not outlive its statement. Leave TEMP out, or write a WITH.'
      : `${verb} ${object} is not allowed here. Only tables, indexes and views may be made, changed or dropped.`
  return databaseError('statement_not_allowed', words)
}
