/** The tools of some domains, which share one database, and of MCP servers. */
import type { RegistryEntry } from '@x/registry'
import type { ToolSource } from '@x/tool-core'
import { approvalRequired } from '@x/toolset'
import type { Domain } from '../domains/domain.ts'
import { type Connect, createDatabase, type Database } from '../sql/database.ts'
import type { DatabasePlace } from '../sql/place.ts'

export interface DemoToolsOptions {
  readonly domains: readonly Domain[]
  readonly place: DatabasePlace
  /** A database shared with other agents. The caller closes it. Default: a new database at `place`, closed with the tools. */
  readonly database?: Database | undefined
  /** Called with the error if the database can't be opened. The model receives only the message that the database isn't available. */
  readonly onBroken?: ((failure: unknown) => void) | undefined
  /** Requires approval for every tool that isn't declared as read-only. Default: false, so that the domains decide. */
  readonly asksBeforeWrites?: boolean | undefined
  /** MCP servers. Their tools require approval unless they are known to be read-only. */
  readonly servers?: readonly ToolSource[] | undefined
}

export interface DemoTools {
  readonly entries: readonly RegistryEntry[]
  readonly database: Database
  /** Opens the domains' sources. Rejects with the source's own error. */
  open(): Promise<void>
  /** Closes all sources, and the database unless it is shared. */
  close(): Promise<void>
}

/** Creates the registry of the tools. Doesn't open any source or connect to any server. */
export function createDemoTools(options: DemoToolsOptions): DemoTools {
  const { domains, place, onBroken, asksBeforeWrites = false, servers = [] } = options
  const database = options.database ?? createDatabase(place)
  const connect: Connect = (tables) =>
    database.connect(tables).catch((failure: unknown) => {
      // The original error names the location of the database, which the model must not see.
      onBroken?.(failure)
      throw new Error('The database is not available.')
    })
  const own = domains.flatMap((domain) => domain.createTools({ connect }))
  return {
    entries: [...(asksBeforeWrites ? own.map(withApproval) : own), ...servers.map(withApproval)],
    database,
    async open() {
      for (const entry of own) if ('open' in entry) await entry.open?.()
    },
    async close() {
      for (const entry of [...own, ...servers]) if ('close' in entry) await entry.close?.()
      if (options.database === undefined) await database.close()
    },
  }
}

/** Makes tools that aren't read-only require approval. All lazy tools of the domains are read-only, so they stay unchanged. */
function withApproval(entry: RegistryEntry): RegistryEntry {
  return 'tools' in entry ? approvalRequired(entry, ({ effect }) => effect !== 'read') : entry
}
