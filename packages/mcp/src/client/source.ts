/** The interface of an MCP server's tools. */
import type { LazySource, ToolFingerprints } from '@x/registry'
import type { Tool } from '@x/tool-core'

/** What is known about a connected server. */
export interface ServerInfo {
  /** Revision of the protocol, such as `2026-07-28`. */
  readonly revision: string
  /** True for the revisions without sessions: 2026-07-28 and later. */
  readonly isStateless: boolean
  readonly name?: string | undefined
  readonly version?: string | undefined
}

/** A lazy tool source. Nothing is started or connected before its tools are needed. */
export interface McpSource extends LazySource, AsyncDisposable {
  /** What the server says about itself. Undefined while it isn't connected. */
  readonly server: ServerInfo | undefined
  /** Connects and lists the tools. Rejects with {@link McpError}. */
  open(): Promise<void>
  tools(): Promise<readonly Tool[]>
  tool(name: string): Promise<Tool | undefined>
  /** Ends the connection, and with it the process of the server. The next listing connects again. */
  close(): Promise<void>
  onChange(listener: () => void): () => void
  /** Returns the name that the server has for a tool. Undefined before the first listing. */
  toServerName(name: string): string | undefined
  /** The fingerprints of all tools, for the option `pin`. */
  fingerprints(): Promise<ToolFingerprints>
  /** Pins the named tools, or all, as the server defines them now. Resolves to the fingerprints of the tools that can be used. */
  approve(names?: readonly string[]): Promise<ToolFingerprints>
  /** Ends an authorization with the parameters that the redirect had, as a query string or a URL. Then open the source again. */
  finishAuth(params: URLSearchParams | string | URL): Promise<void>
}
