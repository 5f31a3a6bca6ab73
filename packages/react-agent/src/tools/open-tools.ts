/** From what an agent was given to tools that are ready, and back again when it closes. */
import { createRegistry, type LazyTool, type RegistryEntry, RegistryError } from '@x/registry'
import {
  closeSource,
  isTool,
  isToolSource,
  openSource,
  type Tool,
  type ToolMap,
  type ToolResolver,
  type ToolSource,
} from '@x/tool-core'

/** What an agent's list may hold. */
export type AgentEntry = Tool | ToolSource | LazyTool

export interface OpenedTools {
  readonly tools: ToolMap
  /** What the sources have to say to the model. */
  readonly instructions: readonly string[]
  isClosed(): boolean
  /** Closes, in reverse, what was opened here; once. A registry's sources are its owner's business. */
  close(): Promise<void>
}

/** Opens the sources in order and resolves all names at once. What was opened is closed again when anything fails. */
export async function openTools(given: ToolResolver | readonly AgentEntry[], agent: string): Promise<OpenedTools> {
  const sources = isResolver(given) ? [] : given.filter(isSource)
  const opened: ToolSource[] = []
  let closed = false
  const close = async () => {
    closed = true
    const failures: unknown[] = []
    for (const source of opened.splice(0).reverse()) await closeSource(source).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
  try {
    for (const source of sources) {
      await openSource(source)
      opened.push(source)
    }
    const resolver = isResolver(given) ? given : await toRegistry(given, agent)
    const tools = await resolver.resolveFor(agent)
    // Read then: a lazy toolset has something to say once it was imported.
    return { tools, instructions: resolver.instructions ?? [], isClosed: () => closed, close }
  } catch (error) {
    await close().catch(() => {}) // the first failure is the one to tell
    throw error
  }
}

/** Sources may list their tools asynchronously; a registry wants them listed. */
async function toRegistry(given: readonly AgentEntry[], agent: string): Promise<ToolResolver> {
  const entries: RegistryEntry[] = []
  for (const entry of given) {
    if (!isSource(entry)) entries.push(entry)
    else {
      const { name, instructions } = entry
      const tools = await entry.tools()
      entries.push({ name, instructions, tools: () => tools })
    }
  }
  try {
    return createRegistry(entries, { name: `tools of ${agent}` })
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    // Whoever made the agent knows of no registry.
    throw new RegistryError(error.code, error.message.replace(/^createRegistry: /, 'createReactAgent: tools: '))
  }
}

function isResolver(given: ToolResolver | readonly AgentEntry[]): given is ToolResolver {
  return !Array.isArray(given) && typeof (given as Partial<ToolResolver>).resolveFor === 'function'
}

function isSource(entry: AgentEntry): entry is ToolSource {
  return isToolSource(entry) && !isTool(entry)
}

/** The same map where there is nothing to add. */
export function withTools(tools: ToolMap, more: readonly Tool[]): ToolMap {
  if (more.length === 0) return tools
  return new Map([...tools, ...more.map((tool): [string, Tool] => [tool.name, tool])])
}
