/** The one error class of the package. */

/**
 * - `unreachable`: no connection to the host, or it broke. - `http_error`: the host answered with a status that says no.
 * - `provider_error`: an error sent as a reply or inside a stream. - `invalid_reply`: a reply that is not what the API sends.
 * - `aborted`: the caller gave up. - `script_drift`: a scripted model was asked more, or less, than its script holds.
 */
export type LMErrorCode = 'unreachable' | 'http_error' | 'provider_error' | 'invalid_reply' | 'aborted' | 'script_drift'

export interface LMErrorOptions {
  /** HTTP status of the reply. */
  readonly status?: number | undefined
  readonly cause?: unknown
}

/** A model request that failed. The message is one line that names the host; it never holds a key. */
export class LMError extends Error {
  override readonly name = 'LMError'
  readonly code: LMErrorCode
  readonly status: number | undefined

  constructor(code: LMErrorCode, message: string, { status, cause }: LMErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
  }
}
