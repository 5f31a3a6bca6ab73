/** Serves the tools of the domains over MCP: over standard input and output, or over HTTP. */
import { once } from 'node:events'
import { serveMcp, type ToolServer } from '@x/mcp/server'
import { createRegistry } from '@x/registry'
import { createDemoTools } from '../agent/demo-tools.ts'
import { DEFAULT_USER } from '../agent/session.ts'
import type { DomainEntry } from '../domains/domain.ts'
import { loadDomain } from '../domains/load-domain.ts'
import { UsageError } from '../failure.ts'
import { type DatabasePlace, describePlace } from '../sql/place.ts'
import type { Terminal } from '../view/terminal.ts'

export interface ServeMcpCommandOptions {
  readonly entries: readonly DomainEntry[]
  readonly place: DatabasePlace
  readonly user: string | undefined
  /** Port for HTTP. Undefined for standard input and output. */
  readonly port: number | undefined
  /** The terminal on standard error, because standard output carries the protocol. */
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/**
 * Resolves when the client disconnects, or when `signal` aborts. The client asks its user before a call that may change something. Rejects
 * with `UsageError` if the port can't be used.
 */
export async function runServeMcp(options: ServeMcpCommandOptions): Promise<void> {
  const { entries, place, user = DEFAULT_USER, port, terminal, signal } = options
  const domains = await Promise.all(entries.map(loadDomain))
  const report = (failure: unknown) => terminal.line(failure instanceof Error ? failure.message : String(failure))
  const tools = createDemoTools({ domains, place, asksBeforeWrites: true, onBroken: report })
  const values = { user_id: user }
  const registry = createRegistry(tools.entries, { name: 'demo' })
  // A client sees the schema and the effect of a lazy tool only once it is imported.
  await registry.preload()
  const server = serveMcp(registry, {
    name: 'x-demo',
    version: '0.0.0',
    instructions: domains.map(({ instructions }) => instructions).join('\n'),
    authorize: () => ({ subject: user, values }),
    onError: report,
  })
  const show = (address: string) =>
    terminal.line(terminal.paint('dim', `Serving ${domains.length} domains ${address}. Database: ${describePlace(place)}`))
  try {
    await tools.open()
    const stopped = signal.aborted ? undefined : once(signal, 'abort')
    if (port === undefined) {
      show('over standard input and output')
      await Promise.race([server.stdio({ values }), stopped])
    } else {
      const url = await listen(server, port)
      show(`at ${url}`)
      await stopped
    }
  } finally {
    await server.close()
    await tools.close()
  }
}

async function listen(server: ToolServer, port: number): Promise<string> {
  try {
    return (await server.listen({ port })).url
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new UsageError(
      `Port ${port} can't be used (${String(error.code)}). Pass another one to --port, or 0 for any free port.`,
    )
  }
}
