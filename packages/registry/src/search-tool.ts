/** A tool by which a model finds tools: what it finds is revealed to it, on any provider. */
import { defineTool, type Tool } from '@x/tool-core'
import type { TObject } from 'typebox'
import type { Registry } from './registry.ts'
import type { ToolRanker } from './registry-search.ts'
import type { ToolCard } from './search/card.ts'

/** What a model reads of a tool that was found. */
export interface FoundTool {
  readonly name: string
  readonly description: string
  /** `city: string`, and `unit?: "c" | "f"` for one that may be left out. */
  readonly arguments: readonly string[]
}

export interface FoundTools {
  /** Best first. */
  readonly tools: readonly FoundTool[]
  /** Names of tools that fit and could not be loaded; left out when there are none. */
  readonly unavailable?: readonly string[]
}

export interface SearchToolOptions<Name extends string = string> {
  /** `search_tools` unless told. */
  readonly name?: Name | undefined
  /** Tools that one search reveals at most; 5 unless told. */
  readonly limit?: number | undefined
  /** Only cards that it takes are found. */
  readonly filter?: ((card: ToolCard) => boolean) | undefined
  /** Another opinion on the order, such as one by embeddings. */
  readonly rank?: ToolRanker | undefined
}

/** Plain JSON Schema: nothing of this package loads TypeBox. */
const ARGS = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1, description: 'What the tool should do, in a few words, e.g. "convert currency"' },
  },
  required: ['query'],
} as unknown as TObject

/**
 * The tools of a registry are declared (a name, a card), resolved (imported) or revealed (their specs shown to the model). This
 * tool searches the cards, imports what fits, and gives names, descriptions and arguments. An agent with `search: registry` uses
 * it and offers what was found from its next request on; what failed to load is named, and the rest is usable all the same.
 */
export function searchTool<const Name extends string = 'search_tools'>(
  registry: Registry,
  { name = 'search_tools' as Name, limit = 5, filter, rank }: SearchToolOptions<Name> = {},
): Tool<Name, { query: string }, FoundTools> {
  return defineTool({
    name,
    description:
      'Find tools for a task. There are more tools than you were given: search before you say that something cannot be done. What is found can be called from then on.',
    args: ARGS,
    effect: 'read',
    execute: async (args: { query: string }) => {
      const hits = await registry.search(args.query, { limit, filter, rank })
      return loadFound(
        registry,
        hits.map((hit) => hit.name),
      )
    },
  } as never) as never
}

/** One that fails does not take the others along. */
async function loadFound(registry: Registry, names: readonly string[]): Promise<FoundTools> {
  const outcomes = await Promise.allSettled(names.map((name) => registry.resolve(name)))
  const tools = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [...outcome.value.values()] : []))
  const unavailable = names.filter((_, index) => outcomes[index]?.status === 'rejected')
  return { tools: tools.map(toFound), ...(unavailable.length > 0 && { unavailable }) }
}

const MAX_DESCRIPTION = 300
const MAX_ARGUMENTS = 50

function toFound({ name, description, arguments: list }: Tool): FoundTool {
  const rendered = list.map((argument) => `${argument.name}${argument.required ? '' : '?'}: ${argument.type}`)
  // The spec follows; a long text here would be cut off by the agent, and with it the names behind it.
  const short = description.length > MAX_DESCRIPTION ? `${description.slice(0, MAX_DESCRIPTION).toWellFormed()}…` : description
  return { name, description: short, arguments: rendered.slice(0, MAX_ARGUMENTS) }
}

/** The names that a result of the search gave to a model, as a message holds it; empty for any other text. */
export function foundNames(text: string): readonly string[] {
  try {
    const { tools } = JSON.parse(text) as { tools?: unknown }
    if (!Array.isArray(tools)) return []
    return tools.flatMap((tool: { name?: unknown } | null) => (typeof tool?.name === 'string' ? [tool.name] : []))
  } catch {
    return []
  }
}
