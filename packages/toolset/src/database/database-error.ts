/** Errors of a database: a `reason` for programs, and a message for the model without secrets or paths. */
import { ToolError } from '@x/tool-core'

/**
 * The `reason` of the `ToolError('execution_failed')` that a failed database call throws. A model reads the message and corrects its
 * statement.
 *
 * - `read_only_violation`: the statement would change data. It didn't run. Fix: pass `access: 'execute'` if the model may change data.
 * - `multi_statement`: the text contains more than one statement. None ran. Fix: send them one by one.
 * - `statement_not_allowed`: the statement, or a function, operator or type in it, isn't allowed, or the database user lacks the
 *   privilege. It changed nothing. Fix: rewrite the statement, or grant the database user the privilege. On PostgreSQL, allow functions
 *   and types of your own with `functions`.
 * - `unknown_identifier`: the table or column doesn't exist. Fix: use a name that `tables` or `describe` returns.
 * - `sql_error`: the database rejected the statement. Fix: correct the statement; the message contains the database's error.
 * - `timeout`: the statement ran longer than `timeoutMs`, and was stopped and rolled back. Fix: read less, or raise `timeoutMs`.
 * - `outcome_unknown`: the statement was stopped, or its connection was lost, during the commit. Its changes may or may not be saved. Fix:
 *   check before you repeat it.
 * - `too_large`: the statement, or one row, is larger than allowed. Fix: pass long values in `params`, select fewer columns, or raise
 *   `maxBytes`.
 * - `busy`: the database is in use. The same call may succeed later. Fix: try again later, close the program that uses it, or raise `waitMs`
 *   or `maxConnections`.
 * - `cannot_connect`: the database can't be opened or reached. Fix: check the path or the address; see `cause`.
 * - `driver_missing`: an optional package isn't installed. Fix: run the command in the message.
 * - `closed`: the database was closed, or an in-memory database was lost when a statement was stopped. Fix: open it again; an in-memory
 *   database is then empty.
 */
export type DatabaseReason =
  | 'read_only_violation'
  | 'multi_statement'
  | 'statement_not_allowed'
  | 'unknown_identifier'
  | 'sql_error'
  | 'timeout'
  | 'outcome_unknown'
  | 'too_large'
  | 'busy'
  | 'cannot_connect'
  | 'driver_missing'
  | 'closed'

export function databaseError(reason: DatabaseReason, words: string, cause?: unknown): ToolError {
  return new ToolError('execution_failed', words, { reason, retryable: reason === 'busy', cause })
}

export function timedOut(timeoutMs: number, cause?: unknown): ToolError {
  return databaseError(
    'timeout',
    `The statement ran longer than ${timeoutMs} ms and was stopped. Read less: use fewer tables, a condition or a LIMIT.`,
    cause,
  )
}

export function outcomeUnknown(cause: unknown): ToolError {
  return databaseError(
    'outcome_unknown',
    'The statement was interrupted while it was being committed. Its changes may or may not be saved. Check before you repeat it.',
    cause,
  )
}

export function wasAborted(signal: AbortSignal): ToolError {
  return new ToolError('aborted', 'The statement was aborted by the application.', { cause: signal.reason })
}

export function driverMissing(name: string, cause?: unknown): ToolError {
  return databaseError('driver_missing', `The package "${name}" is not installed. To fix: npm i ${name}`, cause)
}

/** True if the import of this package failed. False if only a package that it imports is missing. */
export function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === 'ERR_MODULE_NOT_FOUND' && String(message).includes(`'${name}'`)
}

const MAX_WORDS = 500
/**
 * These patterns match a URL, an absolute path in quotes, which may contain spaces, and any other absolute path. Each part of a match ends
 * where the next one starts, so they take linear time.
 */
const ADDRESS = /\b[a-z][a-z0-9+.]{1,20}:\/\/[^\s'"]+/gi
const QUOTED_PATH = /(?<=['"])(?:[A-Za-z]:)?[\\/][^\s'"\\/:;,()][^'"]*/g
const PATH = /(?:\b[A-Za-z]:|(?<![\w.]))[\\/][^\s'"\\/:;,()]+(?:[\\/][^\s'"\\/:;,()]*)*/g

/** Makes a message from a database safe for a model: removes URLs and paths, and truncates the message. */
export function cleanWords(message: string): string {
  const cut = message.length > MAX_WORDS ? `${message.slice(0, MAX_WORDS)}…` : message
  return cut.replace(ADDRESS, '[address]').replace(QUOTED_PATH, '[path]').replace(PATH, '[path]')
}
