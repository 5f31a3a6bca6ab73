/** The one error class of the package. */

/**
 * - `unreachable`: no connection to the host, or it broke. - `timeout`: a deadline passed, see `deadline`.
 * - `http_error`: the host answered with a status that says no, see `status`.
 * - `provider_error`: an error sent as a reply or inside a stream. - `invalid_reply`: a reply that is not what the API sends.
 * - `aborted`: the caller gave up. - `all_failed`: every model of a fallback did; `cause.errors` says how.
 * - `missing_package`: an optional package is needed and not installed. - `missing_setting`: a preset finds no key, or no region.
 * - `script_drift`: a scripted model was asked more, or less, than its script holds.
 */
export type LMErrorCode =
  | 'unreachable'
  | 'timeout'
  | 'http_error'
  | 'provider_error'
  | 'invalid_reply'
  | 'aborted'
  | 'all_failed'
  | 'missing_package'
  | 'missing_setting'
  | 'script_drift'

/** What a request waited for in vain: a connection, the first byte of the reply, the next one, the next delta, or the end. */
export type DeadlineName = 'connect' | 'first_byte' | 'silence' | 'content' | 'total'

export interface LMErrorOptions {
  /** HTTP status of the reply. */
  readonly status?: number | undefined
  /** Of a `timeout`. */
  readonly deadline?: DeadlineName | undefined
  /** The provider's own code or type, e.g. `overloaded_error`. */
  readonly providerCode?: string | undefined
  /** What the provider calls the request, for its support. */
  readonly requestId?: string | undefined
  /** The same request may well be answered when it is sent again. Default: false. */
  readonly retryable?: boolean | undefined
  /** How long the host asks to wait before that, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** A model request that failed. The message is one line that names the host; it never holds a key. */
export class LMError extends Error {
  readonly code: LMErrorCode
  declare readonly status?: number | undefined
  declare readonly deadline?: DeadlineName | undefined
  declare readonly providerCode?: string | undefined
  declare readonly requestId?: string | undefined
  readonly retryable: boolean
  declare readonly retryAfterMs?: number | undefined

  constructor(code: LMErrorCode, message: string, { cause, retryable = false, ...told }: LMErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.retryable = retryable
    for (const [field, value] of Object.entries(told)) if (value !== undefined) Object.assign(this, { [field]: value })
  }

  override get name(): 'LMError' {
    return 'LMError'
  }

  /** For logs: what the error says, without its cause and its stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}

/** The beginning of a text, on one line: at most `length` characters. Default: 300. */
export function oneLine(text: string, length = 300): string {
  return text.trimStart().slice(0, length).replace(/\s+/g, ' ').trimEnd()
}
