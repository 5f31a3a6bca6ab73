/** Creates an agent with the tools of some domains and MCP servers. */
import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent, type ReactAgent, type ReactAgentOptions } from '@x/react-agent'
import { createRegistry, type Registry } from '@x/registry'
import * as Type from 'typebox'
import type { Domain } from '../domains/domain.ts'
import type { Database } from '../sql/database.ts'
import { createDemoTools, type DemoToolsOptions } from './demo-tools.ts'

export interface DemoAgentOptions extends DemoToolsOptions {
  /** Name of the agent, shown in errors. */
  readonly name: string
  readonly lm: LM
  /** Limits for the agent's runs, and settings for pausing them. */
  readonly limits?: Pick<ReactAgentOptions<DemoSignature>, 'budget' | 'stopWhen' | 'pauses'> | undefined
}

export interface DemoAgent {
  readonly agent: ReactAgent<DemoSignature>
  readonly database: Database
  /** The tools of the agent. */
  readonly registry: Registry
  /** Closes the agent, the sources of its tools, and the database unless it is shared. */
  close(): Promise<void>
}

export type DemoSignature = ReturnType<typeof signatureOf>

/**
 * Resolves all tools of the domains and servers, then opens the sources of the domains. Rejects with `ToolResolutionError` if a tool is
 * missing or a server can't be used. Rejects with the source's own error if a source can't be opened.
 */
export async function openDemoAgent(options: DemoAgentOptions): Promise<DemoAgent> {
  const { name, lm, domains, limits } = options
  const { entries, database, ...tools } = createDemoTools(options)
  try {
    const registry = createRegistry(entries, { name: 'demo' })
    const agent = await createReactAgent({ name, lm, tools: registry, signature: signatureOf(domains), maxSteps: 12, ...limits })
    await tools.open()
    const close = async () => {
      await agent.close()
      // An agent doesn't close the sources of a registry.
      await tools.close()
    }
    return { agent, database, registry, close }
  } catch (error) {
    await tools.close()
    throw error
  }
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
