/** Checks the text of statements. The checks apply to every database. */
import { databaseError } from './database-error.ts'

export const MAX_SQL_LENGTH = 100_000

/** Checks the length and the characters of a statement. Throws `too_large` or `sql_error`. */
export function assertText(sql: string): void {
  if (sql.length > MAX_SQL_LENGTH) {
    throw databaseError('too_large', `The statement is longer than ${MAX_SQL_LENGTH} characters. Pass long values in params.`)
  }
  // Drivers and parsers pass the text to C code, which would stop reading here without an error.
  if (sql.includes('\0')) throw databaseError('sql_error', 'The statement contains the character NUL.')
}

export function isEmpty(): Error {
  return databaseError('sql_error', 'The statement is empty.')
}

export function holdsSeveral(): Error {
  return databaseError('multi_statement', 'Send one statement at a time. This SQL contains several.')
}
