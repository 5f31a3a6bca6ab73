/** Opens the tool sources of an agent, resolves its tools, and closes the sources again. */
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

/** An entry of an agent's list of tools. */
export type AgentEntry = Tool | ToolSource | LazyTool

export interface OpenedTools {
  readonly tools: ToolMap
  /** Instructions of the sources for the model. */
  readonly instructions: readonly string[]
  isClosed(): boolean
  /** Closes the sources that were opened here, in reverse order. The sources of a registry are left open: their owner closes them. */
  close(): Promise<void>
}

/** Opens the sources in order and resolves all names concurrently. Closes the sources again if anything fails. */
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
    // The instructions are read after resolving, because a lazy toolset has them only once it is imported.
    return { tools, instructions: resolver.instructions ?? [], isClosed: () => closed, close }
  } catch (error) {
    await close().catch(() => {}) // Errors of closing are ignored, because the first failure is the one to report.
    throw error
  }
}

/**
 * Creates a registry from a list, for an agent or for `owner`. Sources may list their tools asynchronously, but a registry needs a
 * synchronous list.
 */
export async function toRegistry(given: readonly AgentEntry[], agent: string, owner = 'createReactAgent'): Promise<ToolResolver> {
  const entries: RegistryEntry[] = []
  for (const entry of given) {
    // A registry is refused as an entry, with a suggestion.
    if (!isSource(entry) || isResolver(entry)) entries.push(entry)
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
    // The caller passed a list, so the message must not mention createRegistry.
    throw new RegistryError(error.code, error.message.replace(/^createRegistry: /, `${owner}: tools: `))
  }
}

export function isResolver(given: unknown): given is ToolResolver {
  return typeof (given as Partial<ToolResolver> | null | undefined)?.resolveFor === 'function'
}

function isSource(entry: AgentEntry): entry is ToolSource {
  return isToolSource(entry) && !isTool(entry)
}

/** Adds tools to a map. Returns the same map if there is nothing to add. */
export function withTools(tools: ToolMap, more: readonly Tool[]): ToolMap {
  if (more.length === 0) return tools
  const all = new Map(tools)
  for (const tool of more) all.set(tool.name, tool)
  return all
}
