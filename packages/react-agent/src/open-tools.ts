/** From what an agent was given to tools that are ready, and back again when it closes. */
import { createRegistry, type LazyTool } from '@x/registry'
import { isTool, type Tool, type ToolMap, type ToolResolver, type ToolSource } from '@x/tool-core'

/** What an agent's list may hold. */
export type AgentTool = Tool | ToolSource | LazyTool

export interface OpenedTools {
  readonly tools: ToolMap
  /** What the sources have to say to the model. */
  readonly instructions: readonly string[]
  /** Closes, in reverse, what was opened here; once. A registry's sources are its owner's business. */
  close(): Promise<void>
}

/** Opens the sources in order and resolves all names at once. What was opened is closed again when anything fails. */
export async function openTools(given: ToolResolver | readonly AgentTool[], agent: string): Promise<OpenedTools> {
  if (isResolver(given)) return { tools: await given.resolveFor(agent), instructions: [], close: async () => {} }
  const sources: ToolSource[] = []
  const close = async () => {
    const failures: unknown[] = []
    for (const source of sources.splice(0).reverse()) await source.close?.().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
  try {
    const entries: (Tool | LazyTool | ToolSource)[] = []
    for (const entry of given) {
      if (!isSource(entry)) entries.push(entry)
      else {
        await entry.open?.()
        sources.push(entry)
        const tools = await entry.tools()
        entries.push({ ...(entry.name !== undefined && { name: entry.name }), tools: () => tools })
      }
    }
    const tools = await createRegistry(entries, { name: `tools of ${agent}` }).resolveFor(agent)
    return { tools, instructions: sources.flatMap(({ instructions }) => instructions ?? []), close }
  } catch (error) {
    await close().catch(() => {}) // the first failure is the one to tell
    throw error
  }
}

function isResolver(given: ToolResolver | readonly AgentTool[]): given is ToolResolver {
  return !Array.isArray(given) && typeof (given as Partial<ToolResolver>).resolveFor === 'function'
}

function isSource(entry: AgentTool): entry is ToolSource {
  return typeof entry === 'object' && entry !== null && !isTool(entry) && 'tools' in entry
}
