/** The interface of a source for an MCP server's tools. */
import type { LazySource, ToolFingerprints } from '@x/registry'
import type { Tool } from '@x/tool-core'

/** What is known about a connected server. */
export interface ServerInfo {
  /** Protocol revision, such as `2026-07-28`. */
  readonly revision: string
  /** True for the revisions without sessions: 2026-07-28 and later. */
  readonly isStateless: boolean
  readonly name?: string | undefined
  readonly version?: string | undefined
}

/** A lazy tool source. Nothing is started or connected before its tools are needed. */
export interface McpSource extends LazySource, AsyncDisposable {
  /** The server's information about itself. Undefined while it isn't connected. */
  readonly server: ServerInfo | undefined
  /** Connects and lists the tools. Rejects with {@link McpError}. */
  open(): Promise<void>
  tools(): Promise<readonly Tool[]>
  tool(name: string): Promise<Tool | undefined>
  /** Closes the connection, and with it the server's process. The next listing connects again. */
  close(): Promise<void>
  onChange(listener: () => void): () => void
  /** Returns the server's name for a tool. Undefined before the first listing. */
  toServerName(name: string): string | undefined
  /** The fingerprints of all tools, for the option `pin`. */
  fingerprints(): Promise<ToolFingerprints>
  /**
   * Pins tools, and resolves to the fingerprints of the usable ones. Given fingerprints, for example from a report, pins the tools that
   * still have these fingerprints. Given names, pins the current definitions of these tools. Without an argument, pins all tools.
   */
  approve(chosen?: ToolFingerprints | readonly string[]): Promise<ToolFingerprints>
  /** Completes an authorization with the parameters of the redirect, as a query string or a URL. Then open the source again. */
  finishAuth(params: URLSearchParams | string | URL): Promise<void>
}
