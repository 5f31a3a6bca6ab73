/** Tool search in a registry. The model calls the tools that it finds with `call_tool`, or they are added to its tools. */
import type { Message, ProviderSearch } from '@x/adapters'
import { foundNames, type SearchableRegistry, searchTool } from '@x/registry'
import { isToolName, type Tool, type ToolMap, toSpec } from '@x/tool-core'
import { RESERVED_NAMES } from '../loop/ending.ts'
import { CALL_TOOL } from '../prompts.ts'
import { untilAborted } from '../until-aborted.ts'
import { callToolTool, innerCall } from './call-tool.ts'

/** A registry that the model can search, and how the model calls the tools that it finds. */
export interface SearchOptions<Searched = SearchableRegistry> {
  registry: Searched
  /**
   * How the model calls the tools that it finds. Default: `call_tool`.
   * - `call_tool`: with the tool `call_tool({ name, arguments })`. A search result contains the schemas. The tools of a run never change, so
   *   the provider's prompt cache stays valid.
   * - `tools`: by their names. They are added to the tools of the next request, so the provider reads the whole prompt again.
   */
  reveal?: 'call_tool' | 'tools' | undefined
  /**
   * Which side searches. Default: `own`.
   * - `own`: the agent, in the registry's cards. Only tools that are found are imported. Works with every model.
   * - `provider`: the provider, if its API can search deferred tools for the model. All tools are imported when the agent is created, and
   *   sent with every request, but only found ones are part of the prompt. For other models, the agent searches.
   */
  via?: 'own' | 'provider' | undefined
}

/** Returns the options of a search. */
export function toSearchOptions(search: SearchableRegistry | SearchOptions): SearchOptions {
  return Object.hasOwn(search, 'registry') ? (search as SearchOptions) : { registry: search as SearchableRegistry }
}

export interface ToolSearch {
  /** The tools that are offered to the model: the search tool, and `call_tool` if the model calls found tools with it. */
  readonly tools: readonly Tool[]
  /** Name of the search tool. */
  readonly name: string
  /** True if found tools are added to the offered ones. */
  readonly addsTools: boolean
  /** All tools that can be found, if the provider searches them. Otherwise empty. */
  readonly loaded: readonly Tool[]
  start(): SearchRun
}

/** The search of one run. The revealed tools are derived from the messages, so a run with a `history` has them too. */
export interface SearchRun {
  /** The search tool with the state of this run. */
  readonly tool: Tool
  /**
   * Loads the tools that the search results in these messages newly reveal, in the order of the results. Tools that can no longer be loaded
   * are left out, so calls to them are answered like calls to unknown tools.
   */
  revealedBy(messages: readonly Message[]): Promise<readonly RevealedTools[]>
}

export interface RevealedTools {
  /** Number of messages up to and including the results of that turn. */
  readonly after: number
  readonly tools: readonly Tool[]
}

export interface ToolSearchOptions {
  /** Name of the agent. */
  readonly agent: string
  /** The tools that the agent has without search. */
  readonly taken: ToolMap
  readonly maxRevealed: number
}

/**
 * Opens a tool search. If the provider searches, loads all tools that can be found, and rejects with `ToolResolutionError` if one can't
 * be loaded.
 */
export async function openSearch({ registry, reveal, via }: SearchOptions, options: ToolSearchOptions): Promise<ToolSearch> {
  const addsTools = reveal === 'tools'
  const start = () => startSearch(registry, addsTools, options)
  const { tool } = start()
  const loaded: Tool[] = []
  if (via === 'provider')
    for (const one of (await registry.resolveFor(options.agent)).values())
      if (!isHidden(one.name, options.taken)) loaded.push(one)
  return { tools: addsTools ? [tool] : [tool, callToolTool()], name: tool.name, addsTools, loaded, start }
}

/** Returns the search for requests. Undefined if the provider doesn't search. */
export function toProviderSearch({ loaded, tools }: ToolSearch): ProviderSearch | undefined {
  if (loaded.length === 0) return undefined
  const instead: string[] = []
  for (const { name } of tools) instead.push(name)
  return { tools: loaded.map(toSpec), instead }
}

/** Returns true for a tool that no search may find. */
function isHidden(name: string, taken: ToolMap): boolean {
  return taken.has(name) || RESERVED_NAMES.includes(name) || SEARCH_NAMES.includes(name)
}

/** Names that an agent with search reserves, in addition to `RESERVED_NAMES`. */
export const SEARCH_NAMES: readonly string[] = ['search_tools', CALL_TOOL]

/** Returns true if the registry has its own tool `call_tool`. The model could never call it, because such calls are always unwrapped. */
export function hasOwnCallTool({ registry }: SearchOptions): boolean {
  return (registry as { has?(name: string): boolean }).has?.(CALL_TOOL) === true
}

function startSearch(
  registry: SearchableRegistry,
  addsTools: boolean,
  { agent, taken, maxRevealed }: ToolSearchOptions,
): SearchRun {
  const revealed = new Set<string>()
  /** Names found by a search in this turn. They are revealed when the turn ends. */
  const given = new Set<string>()
  const tool: Tool = searchTool(registry, {
    filter: (card) => !isHidden(card.name, taken),
    callWith: addsTools ? undefined : CALL_TOOL,
    admit(name) {
      if (!revealed.has(name) && revealed.size + given.size < maxRevealed) given.add(name)
      return revealed.has(name) || given.has(name)
    },
  }) as never
  return {
    tool,
    async revealedBy(messages) {
      const results = resultsOf(tool.name, messages)
      const names = new Set<string>()
      for (const result of results) for (const name of result.names) names.add(name)
      const wanted = [...names].filter((name) => isToolName(name) && !revealed.has(name) && !isHidden(name, taken))
      // The messages may come from a file, so the number of tools is limited here too.
      const loaded = await loadAll(registry, agent, wanted.slice(0, maxRevealed - revealed.size))
      given.clear()
      const groups = results.map(({ after, names: found }): RevealedTools => {
        const tools: Tool[] = []
        for (const name of found) {
          const one = loaded.get(name)
          // An alias may resolve to a tool that is hidden or already revealed.
          if (one === undefined || revealed.has(one.name) || isHidden(one.name, taken)) continue
          revealed.add(one.name)
          tools.push(one)
        }
        return { after, tools }
      })
      return groups.filter(({ tools }) => tools.length > 0)
    },
  }
}

/** Returns the tools that these messages reveal. After an abort it doesn't wait for loaders, because the loop then checks the signal. */
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

/** Returns the tools by requested name, without tools that can't be loaded. */
async function loadAll(registry: SearchableRegistry, agent: string, names: readonly string[]): Promise<ToolMap> {
  const loaded = new Map<string, Tool>()
  const load = async (name: string) => {
    const [tool] = (await registry.resolveFor(agent, [name])).values()
    if (tool !== undefined) loaded.set(name, tool)
  }
  await Promise.allSettled(names.map(load))
  return loaded
}

/** Returns the names that the searches of each turn found. */
function resultsOf(search: string, messages: readonly Message[]): readonly { after: number; names: readonly string[] }[] {
  const results: { after: number; names: readonly string[] }[] = []
  let names: string[] = []
  let searches = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') {
      searches = new Set()
      for (const raw of message.toolCalls ?? []) if (innerCall(raw).name === search) searches.add(raw.id)
    }
    if (message.role === 'tool' && searches.has(message.callId)) for (const name of foundNames(message.content)) names.push(name)
    if (names.length === 0 || messages[index + 1]?.role === 'tool') continue
    results.push({ after: index + 1, names })
    names = []
  }
  return results
}
