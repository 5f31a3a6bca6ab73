/** A tool by which a model finds tools: what it finds is revealed to it, on any provider. */
import { defineTool, type Tool } from '@x/tool-core'
import type { TObject } from 'typebox'
import type { Registry } from '../registry.ts'
import type { ToolCard } from './card.ts'
import type { ToolRanker } from './registry-search.ts'

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
  /** Tools that fit and may not be given; left out when there are none. */
  readonly withheld?: WithheldTools
  /** What the toolsets of these tools have to say about them; left out when they say nothing. */
  readonly instructions?: readonly string[]
}

export interface WithheldTools {
  readonly code: 'max_revealed'
  readonly names: readonly string[]
  /** What the model can do. */
  readonly message: string
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
  /**
   * Whether the model may be given one more tool, asked for each that was found, best first. One that it may not have is named
   * in `withheld` and not imported.
   */
  readonly admit?: ((name: string) => boolean) | undefined
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
 * Throws `TypeError` or `RangeError` for an option that is none.
 */
export function searchTool<const Name extends string = 'search_tools'>(
  registry: Registry,
  { name = 'search_tools' as Name, limit = 5, filter, rank, admit = () => true }: SearchToolOptions<Name> = {},
): Tool<Name, { query: string }, FoundTools> {
  if (!Number.isInteger(limit) || limit < 1)
    throw new RangeError(`searchTool: limit must be a whole number of 1 or more, got ${limit}.`)
  for (const [option, value] of Object.entries({ filter, rank, admit })) {
    if (value !== undefined && typeof value !== 'function') throw new TypeError(`searchTool: ${option} must be a function.`)
  }
  return defineTool({
    name,
    description:
      'Find tools for a task. There are more tools than you were given: search before you say that something cannot be done. What is found can be called from then on.',
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

/** One that fails does not take the others along. */
async function loadFound(registry: Registry, names: readonly string[]): Promise<FoundTools> {
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
  const message = 'You have as many tools as you can be given. Do the task with those, or say what cannot be done without these.'
  return { code: 'max_revealed', names, message }
}

/** Of one toolset. A longer text could be cut off by the agent, and with it the names of the tools. */
const MAX_INSTRUCTIONS = 4_000
const MAX_DESCRIPTION = 300
const MAX_ARGUMENTS = 50

function toFound({ name, description, arguments: list }: Tool): FoundTool {
  const rendered = list.map((argument) => `${argument.name}${argument.required ? '' : '?'}: ${argument.type}`)
  // The spec follows.
  return { name, description: shortened(description, MAX_DESCRIPTION), arguments: rendered.slice(0, MAX_ARGUMENTS) }
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
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
