/** The errors of this package. */

/**
 * The `code` of an `McpError`, which the programmer reads.
 *
 * - `missing_package`: an optional peer that this entry needs isn't installed. Fix: install the package that the message names.
 */
export type McpErrorCode = 'missing_package'

/** A programmer's mistake or a failed connection. The message names the server and the fix, and contains no token. */
export class McpError extends Error {
  readonly code: McpErrorCode

  constructor(code: McpErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  override get name(): 'McpError' {
    return 'McpError'
  }
}
