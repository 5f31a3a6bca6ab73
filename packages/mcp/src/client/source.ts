/** The type of an MCP tool source. */
import type { LazySource, ToolFingerprints } from '@x/registry'
import type { Tool } from '@x/tool-core'

/** A connected server's name, version and protocol. */
export interface ServerInfo {
  /** Protocol revision, such as `2026-07-28`. */
  readonly revision: string
  /** True for the revisions without sessions: 2026-07-28 and later. */
  readonly isStateless: boolean
  readonly name?: string | undefined
  readonly version?: string | undefined
}

/** A lazy tool source for an MCP server. It starts or connects to the server when its tools are first needed. */
export interface McpSource extends LazySource, AsyncDisposable {
  /** Information about the connected server. Undefined if there is no connection. */
  readonly server: ServerInfo | undefined
  /** Connects and lists the tools. Rejects with {@link McpError}. */
  open(): Promise<void>
  tools(): Promise<readonly Tool[]>
  tool(name: string): Promise<Tool | undefined>
  /** Closes the connection, and ends the server's process if it was started by this source. The next listing connects again. */
  close(): Promise<void>
  onChange(listener: () => void): () => void
  /** Returns the server's name for a tool. Undefined before the first listing. */
  toServerName(name: string): string | undefined
  /** Resolves to the fingerprints of all tools, to be passed as `pin`. */
  fingerprints(): Promise<ToolFingerprints>
  /**
   * Pins tools, and resolves to the fingerprints of the usable ones. Without an argument, pins all tools. With names, pins the
   * current definitions of these tools. With fingerprints, for example from a report, pins only the tools that still match them.
   */
  approve(chosen?: ToolFingerprints | readonly string[]): Promise<ToolFingerprints>
  /** Completes an authorization. Pass the redirect's parameters as a query string or a URL. Open the source again afterwards. */
  finishAuth(params: URLSearchParams | string | URL): Promise<void>
}
