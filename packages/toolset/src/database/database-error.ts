/** The errors of databases: a reason for programs, and words for a model that hold no secret and no path. */
import { ToolError } from '@x/tool-core'

/**
 * - `read_only_violation`: it would change data. - `multi_statement`: more than one statement. - `statement_not_allowed`: a
 *   statement or function that steers the session, the server or files. Nothing of these three ran.
 * - `unknown_identifier`: no such table or column. - `sql_error`: the database refused the statement.
 * - `timeout`: it was stopped, and what it did was undone. - `outcome_unknown`: it was stopped, or its connection was lost, while
 *   its work was being committed, so that may be kept or not. - `too_large`: more text, or a larger row, than is allowed.
 * - `busy`: somebody else works on the database; the same may succeed later.
 * - `cannot_connect`, `driver_missing`: there is no database to ask. - `closed`: it was closed, or lost with its memory.
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
    `The statement ran longer than ${timeoutMs} ms and was stopped. Ask for less: fewer tables, a condition, a LIMIT.`,
    cause,
  )
}

export function outcomeUnknown(cause: unknown): ToolError {
  return databaseError(
    'outcome_unknown',
    'The statement was broken off while it was being committed: what it did may be kept or not. Look before you repeat it.',
    cause,
  )
}

export function wasAborted(signal: AbortSignal): ToolError {
  return new ToolError('aborted', 'The statement was aborted by the caller.', { cause: signal.reason })
}

export function driverMissing(name: string, cause?: unknown): ToolError {
  return databaseError('driver_missing', `The package "${name}" is not installed. To fix: npm i ${name}`, cause)
}

/** True for the failed import of that package, not for one inside it. */
export function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === 'ERR_MODULE_NOT_FOUND' && String(message).includes(`'${name}'`)
}

const MAX_WORDS = 500
/** An address with a scheme, and a path that starts at a root. Each part ends where the next begins, so both are linear. */
const ADDRESS = /\b[a-z][a-z0-9+.]{1,20}:\/\/[^\s'"]+/gi
const PATH = /(?:\b[A-Za-z]:|(?<![\w.]))[\\/][^\s'"\\/:;,()]+(?:[\\/][^\s'"\\/:;,()]*)*/g

/** What a database says of a statement, fit for a model: no address, no path, no more than some lines. */
export function cleanWords(message: string): string {
  const cut = message.length > MAX_WORDS ? `${message.slice(0, MAX_WORDS)}…` : message
  return cut.replace(ADDRESS, '[address]').replace(PATH, '[path]')
}
