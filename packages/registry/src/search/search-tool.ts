/** A tool that lets a model search for other tools. The found tools are revealed to the model, whatever the provider. */
import { defineTool, type Tool, toSpec } from '@x/tool-core'
import type { TObject } from 'typebox'
import { kindOf } from '../errors.ts'
import { QUERY_DESCRIPTION, searchDescription, TOO_MANY_TOOLS } from '../prompts.ts'
import type { SearchableRegistry } from '../registry-types.ts'
import type { ToolCard } from './card.ts'
import type { ToolRanker } from './registry-search.ts'

/** The description of a found tool for the model. */
export interface FoundTool {
  readonly name: string
  readonly description: string
  /** Each argument as text: `city: string`, or `unit?: "c" | "f"` for an optional one. Absent if `parameters` is present. */
  readonly arguments?: readonly string[] | undefined
  /** JSON Schema of the arguments. Present only with `callWith`, and only while the specs in one result fit into 24,000 characters. */
  readonly parameters?: object | undefined
}

export interface FoundTools {
  /** The found tools, best match first. */
  readonly tools: readonly FoundTool[]
  /** Names of matching tools that failed to load. Absent if all of them loaded. */
  readonly unavailable?: readonly string[]
  /** Matching tools that the model may not use. Absent if it may use all of them. */
  readonly withheld?: WithheldTools
  /** Instructions of these tools' toolsets. Absent if there are none. */
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
  /** A hint for the model: what to do without the withheld tools. */
  readonly message: string
}

export interface SearchToolOptions<Name extends string = string> {
  /** Name of the tool. Default: `search_tools`. */
  readonly name?: Name | undefined
  /** Maximum number of tools that one search reveals. Default: 5. */
  readonly limit?: number | undefined
  /** Returns true if a search may find the card. Default: all cards. */
  readonly filter?: ((card: ToolCard) => boolean) | undefined
  /** A second ranking of the cards, for example by embeddings. */
  readonly rank?: ToolRanker | undefined
  /**
   * Returns true if a tool may be revealed to the model. Called for each match, best first. A refused tool isn't imported, and `withheld`
   * lists it. Default: all tools are admitted.
   */
  readonly admit?: ((name: string) => boolean) | undefined
  /**
   * Name of the tool with which the model calls found tools, if they aren't added to its tools. Results then contain full descriptions and
   * the schemas of the arguments. Default: the model calls a found tool by its own name.
   */
  readonly callWith?: string | undefined
}

/** A plain JSON Schema, so that this package doesn't have to load TypeBox. */
const ARGS = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1, description: QUERY_DESCRIPTION },
  },
  required: ['query'],
} as unknown as TObject

/**
 * Creates a tool that searches the cards of a registry, imports the matching tools, and returns their names, descriptions and arguments. An
 * agent with `search: registry` uses this tool. If a tool fails to load, the result lists it, and the others can still be used. Throws
 * `TypeError` or `RangeError` for an invalid option.
 */
export function searchTool<const Name extends string = 'search_tools'>(
  registry: SearchableRegistry,
  { name = 'search_tools' as Name, limit = 5, filter, rank, admit = () => true, callWith }: SearchToolOptions<Name> = {},
): Tool<Name, { query: string }, FoundTools> {
  if (!Number.isInteger(limit) || limit < 1)
    throw new RangeError(`searchTool: limit must be an integer of at least 1, got ${limit}.`)
  if (callWith !== undefined && typeof callWith !== 'string')
    throw new TypeError(`searchTool: callWith must be the name of a tool, got ${kindOf(callWith)}.`)
  for (const [option, value] of Object.entries({ filter, rank, admit })) {
    if (value !== undefined && typeof value !== 'function')
      throw new TypeError(`searchTool: ${option} must be a function, got ${kindOf(value)}.`)
  }
  return defineTool({
    name,
    description: searchDescription(callWith),
    args: ARGS,
    effect: 'read',
    execute: async (args: { query: string }) => {
      const hits = await registry.search(args.query, { limit, filter, rank })
      const names: string[] = []
      const withheld: string[] = []
      for (const hit of hits) (admit(hit.name) ? names : withheld).push(hit.name)
      return {
        ...(await loadFound(registry, names, callWith === undefined)),
        ...(withheld.length > 0 && { withheld: withhold(withheld) }),
      }
    },
  } as never) as never
}

/** Loads the found tools. If one of them fails, the others are still returned. */
async function loadFound(registry: SearchableRegistry, names: readonly string[], isBrief: boolean): Promise<FoundTools> {
  const outcomes = await Promise.allSettled(names.map((name) => registry.resolve(name)))
  const tools = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [...outcome.value.values()] : []))
  const unavailable = names.filter((_, index) => outcomes[index]?.status === 'rejected')
  const instructions = registry.instructionsFor(tools.map((tool) => tool.name))
  return {
    tools: toFound(tools, isBrief),
    ...(unavailable.length > 0 && { unavailable }),
    ...(instructions.length > 0 && { instructions: instructions.map((words) => shortened(words, MAX_INSTRUCTIONS)) }),
  }
}

function withhold(names: readonly string[]): WithheldTools {
  return { code: 'max_revealed', names, message: TOO_MANY_TOOLS }
}

/** Maximum length of one toolset's instructions. */
const MAX_INSTRUCTIONS = 4_000
const MAX_DESCRIPTION = 300
const MAX_ARGUMENTS = 50
/** Maximum length of all specs in one result, in characters of JSON. */
const MAX_SCHEMAS = 24_000

/** Describes a tool briefly, for a model that also receives the full spec. */
function toBrief({ name, description, arguments: list }: Tool): FoundTool {
  const rendered = list.map((argument) => `${argument.name}${argument.required ? '' : '?'}: ${argument.type}`)
  return { name, description: shortened(description, MAX_DESCRIPTION), arguments: rendered.slice(0, MAX_ARGUMENTS) }
}

/** Includes the schemas unless `isBrief` is true. A tool whose spec doesn't fit is described briefly. */
function toFound(tools: readonly Tool[], isBrief: boolean): readonly FoundTool[] {
  let room = isBrief ? 0 : MAX_SCHEMAS
  return tools.map((tool): FoundTool => {
    const spec = toSpec(tool).function
    const { length } = JSON.stringify(spec)
    if (length > room) return toBrief(tool)
    room -= length
    return spec
  })
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}

/** Returns the tool names from the search result in a message. Empty for any other text. */
export function foundNames(text: string): readonly string[] {
  try {
    const { tools } = JSON.parse(text) as { tools?: unknown }
    if (!Array.isArray(tools)) return []
    return tools.flatMap((tool: { name?: unknown } | null) => (typeof tool?.name === 'string' ? [tool.name] : []))
  } catch {
    return []
  }
}
