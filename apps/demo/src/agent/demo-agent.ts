/** Creates an agent with the tools of some domains, which share one database. */
import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent, type ReactAgent, type ReactAgentOptions } from '@x/react-agent'
import { createRegistry, type RegistryEntry } from '@x/registry'
import { approvalRequired } from '@x/toolset'
import * as Type from 'typebox'
import type { Domain } from '../domains/domain.ts'
import { type Connect, createDatabase, type Database } from '../sql/database.ts'
import type { DatabasePlace } from '../sql/place.ts'

export interface DemoAgentOptions {
  /** Name of the agent, shown in errors. */
  readonly name: string
  readonly lm: LM
  readonly domains: readonly Domain[]
  readonly place: DatabasePlace
  /** A database that other agents share. The caller closes it. Default: a new database at `place`, closed with the agent. */
  readonly database?: Database | undefined
  /** Called with the error when the database can't be opened. The model only reads that the database isn't available. */
  readonly onBroken?: ((failure: unknown) => void) | undefined
  /** True if every tool that isn't declared as read-only requires approval. Default: false, which leaves the choice to the domains. */
  readonly asksBeforeWrites?: boolean | undefined
  /** Limits for the agent's runs, and settings for pausing them. */
  readonly limits?: Pick<ReactAgentOptions<DemoSignature>, 'budget' | 'stopWhen' | 'pauses'> | undefined
}

export interface DemoAgent {
  readonly agent: ReactAgent<DemoSignature>
  readonly database: Database
  /** Closes the agent, the sources of its tools, and the database unless it is shared. */
  close(): Promise<void>
}

export type DemoSignature = ReturnType<typeof signatureOf>

/**
 * Resolves all tools of the domains, then opens their sources. Rejects with `ToolResolutionError` if a tool is missing, or with
 * the source's own error if a source can't be opened.
 */
export async function openDemoAgent(options: DemoAgentOptions): Promise<DemoAgent> {
  const { name, lm, domains, place, onBroken, limits, asksBeforeWrites = false } = options
  const database = options.database ?? createDatabase(place)
  const connect: Connect = (tables) =>
    database.connect(tables).catch((failure: unknown) => {
      // The original error names the location of the database, which the model must not see.
      onBroken?.(failure)
      throw new Error('The database is not available.')
    })
  const entries = domains.flatMap((domain) => domain.createTools({ connect }))
  const offered = asksBeforeWrites ? entries.map(withApproval) : entries
  const tools = createRegistry(offered, { name: 'demo' })
  const agent = await createReactAgent({ name, lm, tools, signature: signatureOf(domains), maxSteps: 12, ...limits })
  const close = async () => {
    await agent.close()
    // An agent doesn't close the sources of a registry.
    for (const entry of entries) if ('close' in entry) await entry.close?.()
    if (options.database === undefined) await database.close()
  }
  try {
    for (const entry of entries) if ('open' in entry) await entry.open?.()
  } catch (error) {
    await close()
    throw error
  }
  return { agent, database, close }
}

/** Requires approval for the writing tools of a toolset. Lazy tools are left unchanged, because those of the domains only read. */
function withApproval(entry: RegistryEntry): RegistryEntry {
  return 'tools' in entry ? approvalRequired(entry, ({ effect }) => effect !== 'read') : entry
}

function signatureOf(domains: readonly Domain[]) {
  return defineSignature({
    instructions: [...domains.map(({ instructions }) => instructions), MANNERS].join('\n'),
    inputs: { request: Type.String() },
    outputs: { answer: Type.String() },
  })
}

const MANNERS =
  'Use the tools as needed, then answer in plain language. If no tool can serve the request, say so and call no tool.'
