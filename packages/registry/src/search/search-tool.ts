/** A tool that lets a model search for other tools. The found tools are revealed to the model, with any provider. */
import { defineTool, type Tool } from '@x/tool-core'
import type { TObject } from 'typebox'
import { kindOf } from '../errors.ts'
import { QUERY_DESCRIPTION, SEARCH_DESCRIPTION, TOO_MANY_TOOLS } from '../prompts.ts'
import type { SearchableRegistry } from '../registry.ts'
import type { ToolCard } from './card.ts'
import type { ToolRanker } from './registry-search.ts'

/** What the model reads about a found tool. */
export interface FoundTool {
  readonly name: string
  readonly description: string
  /** For example `city: string`, or `unit?: "c" | "f"` for an optional argument. */
  readonly arguments: readonly string[]
}

export interface FoundTools {
  /** Best match first. */
  readonly tools: readonly FoundTool[]
  /** Names of matching tools that could not be loaded. Absent if there are none. */
  readonly unavailable?: readonly string[]
  /** Matching tools that the model may not use. Absent if there are none. */
  readonly withheld?: WithheldTools
  /** Instructions of the toolsets that these tools belong to. Absent if there are none. */
  readonly instructions?: readonly string[]
}

/**
 * Why a search withholds tools. A model reads it in the search result.
 *
 * - `max_revealed`: the conversation already has the maximum number of revealed tools. Fix: raise the agent's `maxRevealed`.
 */
export type WithheldCode = 'max_revealed'

export interface WithheldTools {
  readonly code: WithheldCode
  readonly names: readonly string[]
  /** A hint for the model when it can't have all matching tools. */
  readonly message: string
}

export interface SearchToolOptions<Name extends string = string> {
  /** Name of the tool. Default: `search_tools`. */
  readonly name?: Name | undefined
  /** Maximum number of tools that one search reveals. Default: 5. */
  readonly limit?: number | undefined
  /** Returns true if a search may find the card. Default: all cards. */
  readonly filter?: ((card: ToolCard) => boolean) | undefined
  /** A second ranking, for example by embeddings. */
  readonly rank?: ToolRanker | undefined
  /**
   * Returns true if a tool may be revealed to the model. Called for each match, best first. A refused tool is listed in `withheld` and not
   * imported. Default: all tools are admitted.
   */
  readonly admit?: ((name: string) => boolean) | undefined
}

/** Plain JSON Schema, because this package doesn't load TypeBox. */
const ARGS = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1, description: QUERY_DESCRIPTION },
  },
  required: ['query'],
} as unknown as TObject

/**
 * Creates a tool that searches the cards of a registry, imports the matching tools, and returns their names, descriptions and arguments. An
 * agent with `search: registry` uses this tool, and offers the found tools to the model in its next requests. Tools that failed to load are
 * listed, and the others are still usable. Throws `TypeError` or `RangeError` for an invalid option.
 */
export function searchTool<const Name extends string = 'search_tools'>(
  registry: SearchableRegistry,
  { name = 'search_tools' as Name, limit = 5, filter, rank, admit = () => true }: SearchToolOptions<Name> = {},
): Tool<Name, { query: string }, FoundTools> {
  if (!Number.isInteger(limit) || limit < 1)
    throw new RangeError(`searchTool: limit must be an integer of at least 1, got ${limit}.`)
  for (const [option, value] of Object.entries({ filter, rank, admit })) {
    if (value !== undefined && typeof value !== 'function')
      throw new TypeError(`searchTool: ${option} must be a function, got ${kindOf(value)}.`)
  }
  return defineTool({
    name,
    description: SEARCH_DESCRIPTION,
    args: ARGS,
    effect: 'read',
    execute: async (args: { query: string }) => {
      const hits = await registry.search(args.query, { limit, filter, rank })
      const names: string[] = []
      const withheld: string[] = []
      for (const hit of hits) (admit(hit.name) ? names : withheld).push(hit.name)
      return { ...(await loadFound(registry, names)), ...(withheld.length > 0 && { withheld: withhold(withheld) }) }
    },
  } as never) as never
}

/** Loads the found tools. If one of them fails to load, the others are still returned. */
async function loadFound(registry: SearchableRegistry, names: readonly string[]): Promise<FoundTools> {
  const outcomes = await Promise.allSettled(names.map((name) => registry.resolve(name)))
  const tools = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [...outcome.value.values()] : []))
  const unavailable = names.filter((_, index) => outcomes[index]?.status === 'rejected')
  const instructions = registry.instructionsFor(tools.map((tool) => tool.name))
  return {
    tools: tools.map(toFound),
    ...(unavailable.length > 0 && { unavailable }),
    ...(instructions.length > 0 && { instructions: instructions.map((words) => shortened(words, MAX_INSTRUCTIONS)) }),
  }
}

function withhold(names: readonly string[]): WithheldTools {
  return { code: 'max_revealed', names, message: TOO_MANY_TOOLS }
}

/** Maximum length of one toolset's instructions. If the result were longer, the agent might truncate it, and with it the tool names. */
const MAX_INSTRUCTIONS = 4_000
const MAX_DESCRIPTION = 300
const MAX_ARGUMENTS = 50

function toFound({ name, description, arguments: list }: Tool): FoundTool {
  const rendered = list.map((argument) => `${argument.name}${argument.required ? '' : '?'}: ${argument.type}`)
  // The model also gets the full spec.
  return { name, description: shortened(description, MAX_DESCRIPTION), arguments: rendered.slice(0, MAX_ARGUMENTS) }
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}

/** Returns the tool names in a search result that a message contains. Empty for any other text. */
export function foundNames(text: string): readonly string[] {
  try {
    const { tools } = JSON.parse(text) as { tools?: unknown }
    if (!Array.isArray(tools)) return []
    return tools.flatMap((tool: { name?: unknown } | null) => (typeof tool?.name === 'string' ? [tool.name] : []))
  } catch {
    return []
  }
}
