/** The MCP servers of a configuration file. */
import { readFile } from 'node:fs/promises'
import { type Elicit, McpError, type McpSource, mcp, type OnReport } from '@x/mcp'
import { type ConfiguredServer, readMcpConfig } from '@x/mcp/config'
import { UsageError } from '../failure.ts'

/**
 * Connects to all servers. A server is trusted to declare which of its tools are read-only, because the user chose it. `${NAME}` in the
 * file is replaced with an environment variable. Rejects with `UsageError` for an invalid file, or with `McpError` if a server can't be
 * used.
 */
export async function openServers(file: string, elicit: Elicit, onReport: OnReport): Promise<readonly McpSource[]> {
  const servers = (await readConfig(file)).map(({ name, server }) =>
    mcp(name, server, { trust: ['readOnlyHint'], elicit, onReport, connectTimeoutMs: CONNECT_MS }),
  )
  try {
    await Promise.all(servers.map((server) => server.open()))
    return servers
  } catch (error) {
    await Promise.all(servers.map((server) => server.close()))
    throw error
  }
}

/** Timeout for connecting, in milliseconds. Starting a server takes long on a busy machine, or if it must be downloaded first. */
const CONNECT_MS = 120_000

async function readConfig(file: string): Promise<readonly ConfiguredServer[]> {
  try {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new UsageError(`--mcp: There is no file ${file}.`)
      return ''
    })
    const variables = [...text.matchAll(/\$\{([A-Za-z_]\w*)/g)].map(([, name = '']) => name)
    return await readMcpConfig(file, { variables })
  } catch (error) {
    throw error instanceof McpError ? new UsageError(error.message.replace(/^readMcpConfig: /, '--mcp: ')) : error
  }
}
