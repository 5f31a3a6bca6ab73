/** Lists the tools of official MCP servers with the official SDK, over stdio. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { FunctionDefinition } from './openai-definitions.ts'

const require = createRequire(import.meta.url)

/** Returns the path of an installed server's program. */
export function programOf(server: string): string {
  const manifest = require.resolve(`${server}/package.json`)
  const { bin } = require(manifest) as { readonly bin: string | Readonly<Record<string, string>> }
  const program = typeof bin === 'string' ? bin : Object.values(bin)[0]
  return join(dirname(manifest), program ?? '')
}

/** Starts a server, lists its tools, and stops the server. */
export async function listTools(server: string, args: readonly string[] = []): Promise<readonly FunctionDefinition[]> {
  const client = new Client({ name: 'lab', version: '0.0.0' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [programOf(server), ...args], stderr: 'ignore' }),
  )
  try {
    const { tools } = await client.listTools()
    return tools.map(({ name, description = name, inputSchema }) => ({ name, description, parameters: inputSchema }))
  } finally {
    await client.close()
  }
}
