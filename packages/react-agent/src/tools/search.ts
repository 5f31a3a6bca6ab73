/** The rest of a registry, by search: what a model found is offered to it from its next request on. */
import type { Message } from '@x/adapters'
import { foundNames, type Registry, searchTool } from '@x/registry'
import { isToolName, type Tool, type ToolMap } from '@x/tool-core'
import { RESERVED_NAMES } from '../loop/ending.ts'
import { untilAborted } from '../until-aborted.ts'

export interface ToolSearch {
  /** By which the model searches, as it is offered. */
  readonly tool: Tool
  start(): SearchRun
}

/** The search in one run. What was revealed is in the messages and nowhere else, so a run that goes on after another has it too. */
export interface SearchRun {
  /** The tool that was offered, as it is called in this run. */
  readonly tool: Tool
  /**
   * The tools that the results among these messages gave and that are not known yet, in the order in which they were found. A
   * tool that cannot be loaded any more is left out: a call of it is answered as one of an unknown tool.
   */
  revealedBy(messages: readonly Message[]): Promise<readonly RevealedTools[]>
}

export interface RevealedTools {
  /** How many of the messages there were by then: a turn is read with all its results. */
  readonly after: number
  readonly tools: readonly Tool[]
}

export interface ToolSearchOptions {
  /** Of the agent. */
  readonly agent: string
  /** The tools that the agent has without a search. */
  readonly taken: ToolMap
  readonly maxRevealed: number
}

export function openSearch(registry: Registry, options: ToolSearchOptions): ToolSearch {
  const { tool } = startSearch(registry, options)
  return { tool, start: () => startSearch(registry, options) }
}

function startSearch(registry: Registry, { agent, taken, maxRevealed }: ToolSearchOptions): SearchRun {
  const revealed = new Set<string>()
  /** Given by a search of this turn, and revealed when the turn is over. */
  const given = new Set<string>()
  const isHidden = (name: string) => taken.has(name) || RESERVED_NAMES.includes(name) || name === tool.name
  const tool: Tool = searchTool(registry, {
    filter: (card) => !isHidden(card.name),
    admit(name) {
      if (!revealed.has(name) && revealed.size + given.size < maxRevealed) given.add(name)
      return revealed.has(name) || given.has(name)
    },
  }) as never
  return {
    tool,
    async revealedBy(messages) {
      const results = resultsOf(tool.name, messages)
      const names = new Set(results.flatMap((result) => result.names))
      const wanted = [...names].filter((name) => isToolName(name) && !revealed.has(name) && !isHidden(name))
      // They may come from a file.
      const loaded = await loadAll(registry, agent, wanted.slice(0, maxRevealed - revealed.size))
      given.clear()
      const groups = results.map(({ after, names: found }): RevealedTools => {
        const tools: Tool[] = []
        for (const one of found.flatMap((name) => loaded.get(name) ?? [])) {
          // An alias may lead to a tool that is hidden, or there already.
          if (revealed.has(one.name) || isHidden(one.name)) continue
          revealed.add(one.name)
          tools.push(one)
        }
        return { after, tools }
      })
      return groups.filter(({ tools }) => tools.length > 0)
    },
  }
}

/** What these messages reveal. Who aborts does not wait for a loader; the loop looks at the signal next. */
export async function revealedBy(
  search: SearchRun | undefined,
  messages: readonly Message[],
  signal: AbortSignal | undefined,
): Promise<readonly RevealedTools[]> {
  if (search === undefined || signal?.aborted) return []
  return untilAborted(search.revealedBy(messages), signal).catch((error) => {
    if (signal?.aborted) return []
    throw error
  })
}

/** By what was asked for; without what cannot be loaded. */
async function loadAll(registry: Registry, agent: string, names: readonly string[]): Promise<ToolMap> {
  const loaded = new Map<string, Tool>()
  const load = async (name: string) => {
    const [tool] = (await registry.resolveFor(agent, [name])).values()
    if (tool !== undefined) loaded.set(name, tool)
  }
  await Promise.allSettled(names.map(load))
  return loaded
}

/** What the searches of each turn found. */
function resultsOf(search: string, messages: readonly Message[]): readonly { after: number; names: readonly string[] }[] {
  const results: { after: number; names: readonly string[] }[] = []
  let names: string[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool' && message.name === search) for (const name of foundNames(message.content)) names.push(name)
    if (names.length === 0 || messages[index + 1]?.role === 'tool') continue
    results.push({ after: index + 1, names })
    names = []
  }
  return results
}
