/** Creates tool sources for MCP servers. */
import { McpClientSource } from './mcp-source.ts'
import { type McpOptions, type McpServer, toSettings } from './options.ts'
import type { McpSource } from './source.ts'

/**
 * Creates a tool source for an MCP server with protocol revision 2026-07-28 or an earlier one. Tool names are `{name}_{name on the server}`.
 * Throws an `McpError` with the code `invalid_option`.
 */
export function mcp(name: string, server: McpServer, options: McpOptions = {}): McpSource {
  return new McpClientSource(toSettings(name, server, options))
}
