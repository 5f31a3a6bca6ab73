/**
 * Refuses SQLite statements by their text. This is only a first check. The data is protected by the check of the compiled statement, and by
 * the connection itself.
 */
import { databaseError } from '../database-error.ts'
import type { SqlStatement } from '../sql-client.ts'
import { assertText, holdsSeveral, isEmpty } from '../statement-text.ts'
import { type ScannedSql, scanSql } from './sqlite-scanner.ts'

const READING: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES'])
const WRITING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE'])
const DEFINING: ReadonlySet<string> = new Set(['CREATE', 'ALTER', 'DROP'])
/** Kinds of objects that contain nothing but data. */
const DEFINABLE: ReadonlySet<string> = new Set(['TABLE', 'INDEX', 'UNIQUE', 'VIEW'])
const PATH_PRAGMAS: ReadonlySet<string> = new Set([
  'pragma_database_list',
  'pragma_data_store_directory',
  'pragma_temp_store_directory',
])

/** Checks a statement. Throws `multi_statement`, `statement_not_allowed`, `read_only_violation` or `too_large`. */
export function assertAllowed({ sql, readOnly }: Pick<SqlStatement, 'sql' | 'readOnly'>): void {
  const scanned = scanOne(sql)
  if (scanned.calls.has('load_extension')) {
    throw databaseError('statement_not_allowed', 'The function load_extension is not allowed.')
  }
  const { verb, object } = verbOf(scanned)
  if (WRITING.has(verb) || DEFINING.has(verb)) {
    if (readOnly) throw databaseError('read_only_violation', `${verb} changes data. Only statements that read are allowed here.`)
    if (DEFINING.has(verb) && !DEFINABLE.has(object)) throw notDefinable(verb, object)
    if (DEFINING.has(verb) && scanned.schema === 'temp') throw notDefinable(verb, 'TEMP')
    return
  }
  if (!READING.has(verb)) throw notAllowed(verb === '' ? 'This' : verb)
}

/** Scans SQL that must contain exactly one statement. Throws `multi_statement`, `statement_not_allowed`, `too_large` or `sql_error`. */
export function scanOne(sql: string): ScannedSql {
  assertText(sql)
  const scanned = scanSql(sql)
  if (scanned.statements === 0) throw isEmpty()
  if (scanned.statements > 1) throw holdsSeveral()
  const revealing = [...scanned.pragmas].find((name) => PATH_PRAGMAS.has(name))
  if (revealing !== undefined) throw databaseError('statement_not_allowed', `${revealing} cannot be read: it reveals file paths.`)
  return scanned
}

export function isExplained({ words }: ScannedSql): boolean {
  return words[0]?.word === 'EXPLAIN'
}

const EXPLAIN_OPTIONS: ReadonlySet<string> = new Set(['ANALYZE', 'ANALYSE', 'VERBOSE', 'QUERY', 'PLAN'])

/**
 * Returns the verb of a statement and the kind of object that it creates or drops. For `EXPLAIN`, returns those of the explained statement,
 * because that statement may run.
 */
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

function notDefinable(verb: string, object: string): Error {
  const words =
    object === 'TEMP' || object === 'TEMPORARY'
      ? 'A temporary table or view exists only during this statement. Remove TEMP, or use WITH.'
      : `${verb} ${object} is not allowed here. Only tables, indexes and views can be created, altered or dropped.`
  return databaseError('statement_not_allowed', words)
}
