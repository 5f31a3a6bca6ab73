/** The error class of the package. */

/**
 * The `code` of an `LMError`, meant for the programmer. `retryable` is true if the same request may succeed later.
 *
 * - `unreachable`: the host can't be reached, or the connection broke. Fix: check `baseURL` and the network.
 * - `timeout`: a deadline passed; `deadline` names it. Fix: raise it in `deadlines`, or stream long replies.
 * - `http_error`: the host returned an error; see `status`. Fix: check the key for 401 and 403, `baseURL` and `model` for 404, and the
 *   request for other 4xx. Transient errors are retried.
 * - `provider_error`: the provider sent an error as a successful reply or inside a stream. Fix: if `retryable` is true, retry later.
 *   Otherwise correct what the message names.
 * - `invalid_reply`: the reply doesn't follow the API: invalid JSON, a stream that ends early, a wrong checksum. Fix: check that `wire`
 *   matches the host's API, and that no proxy changes its replies.
 * - `aborted`: the caller aborted the request. Fix: see `cause`, the signal's abort reason.
 * - `all_failed`: every model in a fallback failed. Fix: see each model's error in `cause.errors`.
 * - `missing_package`: an optional package isn't installed. Fix: run the command in the message.
 * - `missing_setting`: a key or region is missing, or `sign` failed. Fix: set the variable or the option that the message names. If
 *   `sign` failed, see `cause`.
 * - `script_drift`: a scripted model got more or fewer requests than its script has replies. Fix: change the script, or the program's
 *   requests.
 * - `cassette_drift`: a replayed model got a request that differs from the recorded one, or more or fewer requests than were recorded. The
 *   message contains the differences. Fix: undo the change, or record the cassette again.
 * - `invalid_cassette`: a cassette can't be read or written: there is no such file, or it isn't complete. Fix: record it again with
 *   `recordLM`, or change the path that the message names.
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
  | 'cassette_drift'
  | 'invalid_cassette'

/**
 * What the request was waiting for when it timed out: a connection, the first byte, the next byte, the next delta, or the end of
 * the reply.
 */
export type DeadlineName = 'connect' | 'first_byte' | 'silence' | 'content' | 'total'

export interface LMErrorOptions {
  /** HTTP status of the reply. */
  readonly status?: number | undefined
  /** The deadline that passed, if the code is `timeout`. */
  readonly deadline?: DeadlineName | undefined
  /** The provider's own code or type, e.g. `overloaded_error`. */
  readonly providerCode?: string | undefined
  /** The provider's request id. Include it when you contact the provider's support. */
  readonly requestId?: string | undefined
  /** True if sending the same request again may succeed. Default: false. */
  readonly retryable?: boolean | undefined
  /** Delay before a retry, in milliseconds, as requested by the host. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** A failed model request. The message is a single line that names the host, except for `cassette_drift`. It never contains a key. */
export class LMError extends Error {
  readonly code: LMErrorCode
  declare readonly status?: number | undefined
  declare readonly deadline?: DeadlineName | undefined
  declare readonly providerCode?: string | undefined
  declare readonly requestId?: string | undefined
  readonly retryable: boolean
  declare readonly retryAfterMs?: number | undefined

  constructor(code: LMErrorCode, message: string, { cause, retryable = false, ...fields }: LMErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.retryable = retryable
    for (const [field, value] of Object.entries(fields)) if (value !== undefined) Object.assign(this, { [field]: value })
  }

  override get name(): 'LMError' {
    return 'LMError'
  }

  /** Returns all fields except the cause and the stack, for logs. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}

/** Returns the start of a text on one line, with at most `length` characters. Default: 300. */
export function oneLine(text: string, length = 300): string {
  return text.trimStart().slice(0, length).replace(/\s+/g, ' ').trimEnd()
}
