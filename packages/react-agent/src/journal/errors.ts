/** The error class of the journal. */

/**
 * - `in_use`: another process, or another journal of this one, has the file.
 * - `cannot_open`: the file system refused; `cause` is its error.
 * - `not_a_journal`, `unsupported_version`, `broken`: what is in the file cannot be used, and was left as it is.
 * - `invalid_value`: what a step gave, or a decision, is no plain data; it was not recorded.
 * - `key_in_use`: a step of this key is running, or a decision is being recorded. - `already_decided`: a decision of this key is there.
 * - `write_failed`: a record may not have reached the disk; `cause` says why. The journal takes no more.
 * - `closed`: the journal was closed.
 */
export type JournalErrorCode =
  | 'in_use'
  | 'cannot_open'
  | 'not_a_journal'
  | 'unsupported_version'
  | 'broken'
  | 'invalid_value'
  | 'key_in_use'
  | 'already_decided'
  | 'write_failed'
  | 'closed'

/** A journal that cannot be opened, or cannot record. Files are named without their folders. */
export class JournalError extends Error {
  readonly code: JournalErrorCode

  constructor(code: JournalErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }

  override get name(): 'JournalError' {
    return 'JournalError'
  }

  /** For logs: what the error says, without its cause and its stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}
