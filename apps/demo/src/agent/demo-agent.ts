/** Opens an agent for some domains on one database, and closes it again. */
import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent, type ReactAgent, type ReactAgentOptions } from '@x/react-agent'
import { createRegistry } from '@x/registry'
import * as Type from 'typebox'
import type { Domain } from '../domains/domain.ts'
import { type Connect, createDatabase, type Database } from '../sql/database.ts'
import type { DatabasePlace } from '../sql/place.ts'

export interface DemoAgentOptions {
  /** Shown in errors. */
  readonly name: string
  readonly lm: LM
  readonly domains: readonly Domain[]
  readonly place: DatabasePlace
  /** Shared with other agents, and closed by its creator. Default: a new one at `place`, closed with the agent. */
  readonly database?: Database | undefined
  /** Called with the reason when the database can't be opened. The model only reads that it isn't available. */
  readonly onBroken?: ((failure: unknown) => void) | undefined
  /** Limits and pauses of its runs. */
  readonly limits?: Pick<ReactAgentOptions<DemoSignature>, 'budget' | 'stopWhen' | 'pauses'> | undefined
}

export interface DemoAgent {
  readonly agent: ReactAgent<DemoSignature>
  readonly database: Database
  /** Closes everything opened for the tools. */
  close(): Promise<void>
}

export type DemoSignature = ReturnType<typeof signatureOf>

/**
 * Resolves all tools of the domains, then opens their sources. Rejects with `ToolResolutionError` when a tool is missing, and
 * with the error of a source that can't be opened.
 */
export async function openDemoAgent(options: DemoAgentOptions): Promise<DemoAgent> {
  const { name, lm, domains, place, onBroken, limits } = options
  const database = options.database ?? createDatabase(place)
  const connect: Connect = (tables) =>
    database.connect(tables).catch((failure: unknown) => {
      // The location of the database is hidden from the model. The run ends with the failure itself.
      onBroken?.(failure)
      throw new Error('The database is not available.')
    })
  const entries = domains.flatMap((domain) => domain.createTools({ connect }))
  const tools = createRegistry(entries, { name: 'demo' })
  const agent = await createReactAgent({ name, lm, tools, signature: signatureOf(domains), maxSteps: 12, ...limits })
  const close = async () => {
    await agent.close()
    // The owner of a registry closes its sources.
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

function signatureOf(domains: readonly Domain[]) {
  return defineSignature({
    instructions: [...domains.map(({ instructions }) => instructions), MANNERS].join('\n'),
    inputs: { request: Type.String() },
    outputs: { answer: Type.String() },
  })
}

const MANNERS =
  'Use the tools as needed, then answer in plain language. If no tool can serve the request, say so and call no tool.'
