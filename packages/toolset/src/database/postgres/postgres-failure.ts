/** Converts failures of PostgreSQL and its driver to errors for a model. */
import { isToolError, type ToolError } from '@x/tool-core'
import { cleanWords, type DatabaseReason, databaseError, timedOut } from '../database-error.ts'

/** An error from the driver or PGlite. */
export interface PostgresFailure {
  readonly code?: unknown
  readonly message?: unknown
  /** The severity. Present only on errors from the server, not on connection errors. */
  readonly severity?: unknown
}

/** The reason for each PostgreSQL error code. See "PostgreSQL Error Codes" in its manual. */
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

/** Codes for a cancelled statement, and for a session that ended while idle in a transaction. Both mean that the call ran out of time. */
const OUT_OF_TIME: ReadonlySet<string> = new Set(['57014', '25P03'])

/**
 * Converts the failure of a statement. The message is the server's own without secrets and paths, except for a timeout. With `isLate`, a
 * connection that was lost without a reason from the server counts as a timeout.
 */
export function statementFailed(failure: PostgresFailure, timeoutMs: number, isLate = false): ToolError {
  if (isToolError(failure)) return failure
  const code = String(failure.code ?? '')
  const isLost = isConnectionCode(code)
  if (OUT_OF_TIME.has(code) || (isLate && isLost && failure.severity === undefined)) return timedOut(timeoutMs, failure)
  if (isLost) return cannotConnect(failure)
  const words = String(failure.message ?? failure)
  if (words.includes('multiple commands')) return databaseError('multi_statement', 'Send one statement at a time.', failure)
  return databaseError(REASONS[code] ?? 'sql_error', `The database rejected the statement: ${cleanWords(words)}`, failure)
}

/** Describes connection failures, by their Node or PostgreSQL error code. */
const CONNECTION_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host was not found',
  EAI_AGAIN: 'the host was not found',
  ETIMEDOUT: 'it does not respond',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  '28000': 'it rejected this user',
  '28P01': 'it rejected this user or password',
  '3D000': 'the database does not exist',
  '53300': 'it has no free connections',
  '57P01': 'it is shutting down',
  '57P02': 'it is shutting down',
  '57P03': 'it is starting up or shutting down',
}

/**
 * Converts a failure to connect. The message names neither the server nor the user, because the driver's own message may contain a URL with
 * a password.
 */
export function cannotConnect(failure: PostgresFailure): ToolError {
  if (isToolError(failure)) return failure
  const words = CONNECTION_WORDS[String(failure.code ?? '')] ?? 'it does not respond'
  return databaseError('cannot_connect', `The database server is not available: ${words}.`, failure)
}

/** True if the server refused to commit, and therefore rolled back. False if the connection was lost. */
export function isUndone({ code, severity }: PostgresFailure): boolean {
  return typeof severity === 'string' && !isConnectionCode(String(code ?? ''))
}

function isConnectionCode(code: string): boolean {
  // The code 08P01 means that the number of params is wrong.
  return (code.startsWith('08') && code !== '08P01') || code.startsWith('57P') || Object.hasOwn(CONNECTION_WORDS, code)
}
