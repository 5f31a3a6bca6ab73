/** Creates MCP tool definitions from cards, and divides them into pages. */

import type { Tool as Definition, ToolAnnotations } from '@modelcontextprotocol/server'
import type { CardArgument, ToolCard } from '@x/registry'
import { type Effect, type Tool, toSpec } from '@x/tool-core'

export interface Page {
  readonly tools: Definition[]
  readonly nextCursor?: string
}

/** The definitions of all tools, in the order of the cards. */
export class Listing {
  readonly definitions: readonly Definition[]
  readonly #places: ReadonlyMap<string, number>
  readonly #bare: ReadonlySet<string>

  constructor(cards: readonly ToolCard[]) {
    this.#bare = new Set(cards.filter(({ args }) => args === undefined).map(({ name }) => name))
    this.definitions = cards.map(toDefinition)
    this.#places = new Map(cards.map(({ name }, place) => [name, place]))
  }

  get(name: string): Definition | undefined {
    const place = this.#places.get(name)
    return place === undefined ? undefined : this.definitions[place]
  }

  /** Returns true if the tool's schema is unknown until the tool is imported. */
  isBare(name: string): boolean {
    return this.#bare.has(name)
  }

  get names(): Iterable<string> {
    return this.#places.keys()
  }

  /**
   * Returns the page after a cursor, or undefined for an unknown cursor. A cursor is the name of the last tool on a page, so that
   * adding or removing another tool doesn't shift the next page.
   */
  page(cursor: string | undefined, size: number): Page | undefined {
    const last = cursor === undefined ? -1 : this.#places.get(cursor)
    if (last === undefined) return undefined
    const end = last + 1 + size
    const tools = this.definitions.slice(last + 1, end)
    return { tools, ...(end < this.definitions.length && { nextCursor: tools.at(-1)?.name ?? '' }) }
  }
}

function toDefinition({ name, description, args, arguments: list = [], output, effect }: ToolCard): Definition {
  const inputSchema = args === undefined ? schemaOf(list) : parametersOf({ name, args })
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: inputSchema as Definition['inputSchema'],
    ...(output !== undefined && { outputSchema: output as Definition['outputSchema'] }),
    ...(effect !== undefined && { annotations: ANNOTATIONS[effect] }),
  }
}

/** Returns the schema that an agent would send to its model, in which properties with a default aren't required. */
function parametersOf({ name, args }: { name: string; args: object }): object {
  return toSpec({ name, description: '', args } as Tool).function.parameters
}

/**
 * Creates a schema for a card that has none. It accepts any arguments; the tool's own schema validates them once the tool is
 * loaded.
 */
function schemaOf(list: readonly (string | CardArgument)[]): object {
  const named = list.map((one) => (typeof one === 'string' ? { name: one } : one))
  const properties = named.map(({ name, description, values }: CardArgument) => [
    name,
    { ...(description !== undefined && { description }), ...(values !== undefined && { examples: values }) },
  ])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** The MCP annotations for each effect. A tool without an effect has no annotations, so clients must assume the worst. */
const ANNOTATIONS: Readonly<Record<Effect, ToolAnnotations>> = {
  read: { readOnlyHint: true },
  idempotent: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true },
}
