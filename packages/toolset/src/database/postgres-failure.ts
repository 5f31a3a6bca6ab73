/** What PostgreSQL and its driver say when something fails, as an error for a model. */
import { isToolError, type ToolError } from '@x/tool-core'
import { cleanWords, type DatabaseReason, databaseError, timedOut } from './database-error.ts'

/** What the driver and PGlite throw. */
export interface PostgresFailure {
  readonly code?: unknown
  readonly message?: unknown
  /** Of what the server said, not of what happened to the connection. */
  readonly severity?: unknown
}

/** By PostgreSQL's code; see "PostgreSQL Error Codes" in its manual. */
const REASONS: Readonly<Record<string, DatabaseReason>> = {
  '25006': 'read_only_violation',
  '25001': 'statement_not_allowed',
  '2D000': 'statement_not_allowed',
  '42501': 'statement_not_allowed',
  '42P01': 'unknown_identifier',
  '42703': 'unknown_identifier',
  '40001': 'busy',
  '40P01': 'busy',
  '55P03': 'busy',
}

/** A statement that was cancelled, and a session that was ended because no statement came: both after the time of the call. */
const OUT_OF_TIME: ReadonlySet<string> = new Set(['57014', '25P03'])

/** A statement that failed. The server's own words, cleaned; when it ran too long, ours. */
export function statementFailed(failure: PostgresFailure, timeoutMs: number): ToolError {
  if (isToolError(failure)) return failure
  const code = String(failure.code ?? '')
  if (OUT_OF_TIME.has(code)) return timedOut(timeoutMs, failure)
  if (isConnectionCode(code)) return cannotConnect(failure)
  const words = String(failure.message ?? failure)
  if (words.includes('multiple commands')) return databaseError('multi_statement', 'Send one statement at a time.', failure)
  return databaseError(REASONS[code] ?? 'sql_error', `The database refused the statement: ${cleanWords(words)}`, failure)
}

/** By the code of Node or of PostgreSQL. */
const CONNECTION_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  '28000': 'it does not accept this user',
  '28P01': 'it does not accept this user and password',
  '3D000': 'there is no such database',
  '53300': 'it has no connection left',
  '57P01': 'it is stopping',
  '57P02': 'it is stopping',
  '57P03': 'it is just starting or stopping',
}

/** The words name neither server nor user: the driver's own may hold an address with a password. */
export function cannotConnect(failure: PostgresFailure): ToolError {
  if (isToolError(failure)) return failure
  const words = CONNECTION_WORDS[String(failure.code ?? '')] ?? 'it does not answer'
  return databaseError('cannot_connect', `The database server cannot be used: ${words}.`, failure)
}

/** True when the server refused to commit, and so undid the transaction; false when the connection was lost meanwhile. */
export function isUndone({ code, severity }: PostgresFailure): boolean {
  return typeof severity === 'string' && !isConnectionCode(String(code ?? ''))
}

function isConnectionCode(code: string): boolean {
  // 08P01 is a statement with another number of params than it has.
  return (code.startsWith('08') && code !== '08P01') || code.startsWith('57P') || Object.hasOwn(CONNECTION_WORDS, code)
}
