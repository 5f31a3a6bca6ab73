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

/** What a request waited for in vain: a connection, the first byte of the reply, or the next one. */
export type DeadlineName = 'connect' | 'first_byte' | 'silence'

export interface LMErrorOptions {
  /** HTTP status of the reply. */
  readonly status?: number | undefined
  /** Of a `timeout`. */
  readonly deadline?: DeadlineName | undefined
  /** The provider's own code or type, e.g. `overloaded_error`. */
  readonly providerCode?: string | undefined
  /** What the provider calls the request, for its support. */
  readonly requestId?: string | undefined
  /** The same request may well be answered when it is sent again; false unless told. */
  readonly retryable?: boolean | undefined
  /** How long the host asks to wait before that, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** A model request that failed. The message is one line that names the host; it never holds a key. */
export class LMError extends Error {
  override readonly name = 'LMError'
  readonly code: LMErrorCode
  readonly status: number | undefined
  readonly deadline: DeadlineName | undefined
  readonly providerCode: string | undefined
  readonly requestId: string | undefined
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined

  constructor(code: LMErrorCode, message: string, options: LMErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = options.status
    this.deadline = options.deadline
    this.providerCode = options.providerCode
    this.requestId = options.requestId
    this.retryable = options.retryable ?? false
    this.retryAfterMs = options.retryAfterMs
  }
}
