/** The errors of this package. */

/**
 * The `code` of an `McpError`, meant for the programmer.
 *
 * - `missing_package`: an optional peer dependency of this entry point isn't installed. Fix: install the package that the message
 *   names.
 * - `invalid_option`: a name, a server, an option, or what `serveMcp` was asked to serve is invalid. Fix: pass what the message asks for.
 * - `connect_failed`: the server can't be started or reached. Fix: see the message; pass `stderr: 'inherit'` to see what a child process
 *   writes.
 * - `connect_timeout`: the server didn't answer in time. Fix: raise `connectTimeoutMs`, or check the server.
 * - `unauthorized`: the server requires authorization. Fix: pass `auth`, and after a redirect call `finishAuth`.
 * - `list_failed`: the server didn't list its tools. Fix: see the message.
 * - `tool_refused`: a tool can't be used, because of its schema or hidden characters, or because it isn't pinned. Fix: correct the tool
 *   on its server, or call `approve` if it isn't pinned.
 * - `invalid_config`: a configuration file can't be read, or a server in it is invalid. Fix: change what the message names.
 * - `unprotected`: `listen` was called without `authorize` for an address that other machines can reach, or `authorize` returned no
 *   `subject`, so that a question isn't bound to its caller. Fix: pass `authorize`, or listen on 127.0.0.1; return a `subject`.
 * - `closed`: `listen` or `stdio` was called after the server's `close`. Fix: create another server with `serveMcp`.
 */
export type McpErrorCode =
  | 'missing_package'
  | 'invalid_option'
  | 'connect_failed'
  | 'connect_timeout'
  | 'unauthorized'
  | 'list_failed'
  | 'tool_refused'
  | 'invalid_config'
  | 'unprotected'
  | 'closed'

/**
 * The `code` of a `NestedCallError` that a served tool receives, in addition to the codes of a failed call (`ToolErrorCode`,
 * `CallErrorCode`). If the tool doesn't catch it, a model reads the message.
 *
 * - `question_unavailable`: the client can't be asked. Nothing was asked. Fix: catch it and continue without an answer, or use a client
 *   that supports elicitation.
 * - `acted_before`: the tool asked after a call that must not be repeated, and the answer would have repeated it. Nothing was asked. Fix:
 *   ask before such a call.
 */
export type ServedCallCode = 'question_unavailable' | 'acted_before'

/**
 * Thrown for a programmer's mistake, and for a server that can't be used. The message names the server and the fix, and contains
 * no token.
 */
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
