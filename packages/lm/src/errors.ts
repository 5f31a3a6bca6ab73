/** The error class of the package. */

/**
 * - `unreachable`: no connection to the host, or it broke.
 * - `timeout`: a deadline passed, see `deadline`.
 * - `http_error`: the host answered with an error status, see `status`.
 * - `provider_error`: an error sent as a successful reply or inside a stream.
 * - `invalid_reply`: a reply that doesn't follow the API.
 * - `aborted`: the caller aborted the request.
 * - `all_failed`: every model of a fallback failed, see `cause.errors`.
 * - `missing_package`: an optional package isn't installed.
 * - `missing_setting`: a key or region is missing, or `sign` failed.
 * - `script_drift`: a scripted model got more or fewer requests than its script has.
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

/** The wait that timed out: for a connection, the first byte of the reply, the next byte, the next delta, or the end. */
export type DeadlineName = 'connect' | 'first_byte' | 'silence' | 'content' | 'total'

export interface LMErrorOptions {
  /** HTTP status of the reply. */
  readonly status?: number | undefined
  /** The deadline that passed, for a `timeout`. */
  readonly deadline?: DeadlineName | undefined
  /** The provider's own code or type, e.g. `overloaded_error`. */
  readonly providerCode?: string | undefined
  /** The provider's id of the request, for its support. */
  readonly requestId?: string | undefined
  /** Whether sending the same request again may succeed. Default: false. */
  readonly retryable?: boolean | undefined
  /** Delay before a retry that the host asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** A failed model request. The message is one line that names the host and never contains a key. */
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

  /** For logs: all fields without the cause and the stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}

/** Returns the start of a text on one line, with at most `length` characters. Default: 300. */
export function oneLine(text: string, length = 300): string {
  return text.trimStart().slice(0, length).replace(/\s+/g, ' ').trimEnd()
}
