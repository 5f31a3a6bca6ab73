/** The reports of an MCP source. */

/**
 * The `code` of an `McpReport`, meant for the programmer.
 *
 * - `tool_added`: the server lists a tool that it didn't list before, or that isn't pinned. Fix: review it, and call `approve` if tools are
 *   pinned.
 * - `tool_removed`: the server no longer lists a tool. Fix: none, if that is intended.
 * - `tool_changed`: the definition of a tool changed since it was listed or pinned. Fix: review it, and call `approve` if tools are pinned.
 * - `tool_refused`: a tool was left out, because of its schema, its name or hidden characters. Fix: correct the tool on its server.
 * - `instructions_refused`: the server's instructions were left out, because of their length or hidden characters. Fix: see the message.
 * - `repeated_cursor`: the list of tools may be incomplete, because the server repeated a page's cursor. Fix: report it to the server's
 *   author.
 * - `invalid_message`: the server wrote JSON that isn't a message to its standard output, such as a log. It was ignored. Reported once per
 *   connection. Fix: let the server log to standard error.
 * - `list_failed`: the server reported a change to its list, but listing it again failed. The earlier list is kept. Fix: see the message.
 * - `disconnected`: the connection was lost. The next call connects again. Fix: none, unless it happens often: then check the server.
 * - `question_declined`: a question was declined. There was no handler or no running call, the server asked too often, or it asked to open
 *   an address that isn't a web page. Fix: pass `elicit` to answer questions and to open web pages.
 */
export type McpReportCode =
  | 'tool_added'
  | 'tool_removed'
  | 'tool_changed'
  | 'tool_refused'
  | 'instructions_refused'
  | 'repeated_cursor'
  | 'invalid_message'
  | 'list_failed'
  | 'disconnected'
  | 'question_declined'

export interface McpReport {
  readonly code: McpReportCode
  /** Name of the source. */
  readonly server: string
  readonly message: string
  /** Name of the tool that the report is about. */
  readonly tool?: string | undefined
  /** The tool's current fingerprint, and the previous one. */
  readonly fingerprint?: string | undefined
  readonly before?: string | undefined
}

export type OnReport = (report: McpReport) => void

/** Reports something. The source adds its own name. */
export type Report = (report: Omit<McpReport, 'server'>) => void
