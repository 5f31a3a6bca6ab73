/** What every text of a statement has to be, whichever database reads it. */
import { databaseError } from './database-error.ts'

export const MAX_SQL_LENGTH = 100_000

/** Throws `too_large` or `sql_error`. */
export function assertText(sql: string): void {
  if (sql.length > MAX_SQL_LENGTH) {
    throw databaseError('too_large', `The statement is longer than ${MAX_SQL_LENGTH} characters. Bind long values as params.`)
  }
  // Drivers and parsers hand the text to C code, which would silently stop reading here.
  if (sql.includes('\0')) throw databaseError('sql_error', 'The statement holds the character NUL.')
}

export function isEmpty(): Error {
  return databaseError('sql_error', 'The statement is empty.')
}

export function holdsSeveral(): Error {
  return databaseError('multi_statement', 'Send one statement at a time; this text holds several.')
}
