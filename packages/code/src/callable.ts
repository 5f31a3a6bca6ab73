/** The tools that a program may call: the tools of a registry that match an allow list, and two tools that search the registry. */
import { createRegistry, type Registry, type RegistryEntry, type ToolCard } from '@x/registry'
import { defineTool, digestOf, isTool, isToolSource, matchesName, type Tool, type ToolSource } from '@x/tool-core'
import { assertMatching } from './assert-matching.ts'
import { declare, declareInFull } from './declarations/declarations.ts'
import { CodeError } from './errors.ts'
import { DESCRIBE_DESCRIPTION, SEARCH_DESCRIPTION, unavailable, unknownTool } from './prompts.ts'

/** A registry, a tool source such as a toolset, or a list from which a registry is created. */
export type CodeTools = Source | ToolSource | readonly RegistryEntry[]

type Source = Pick<Registry, 'names' | 'cards' | 'search' | 'resolve'>

/** JavaScript itself calls these members of an object, e.g. when the program awaits, prints or returns it. */
const OF_LANGUAGE: readonly string[] = ['then', 'toJSON', 'toString', 'valueOf']
const SEARCH = 'search'
const DESCRIBE = 'describe'
const MAX_FOUND = 10

export class CallableTools {
  /** Doesn't include tools that are registered later: their effects aren't part of the effect of the tool that runs programs. */
  readonly names: readonly string[]
  readonly #source: Source
  readonly #allowed: ReadonlySet<string>
  readonly #own: ReadonlyMap<string, Tool>
  readonly #versions = new WeakMap<Tool, Promise<string>>()

  /** `allow` lists names and patterns such as `get_*`. Default: all tools. */
  constructor(tools: CodeTools, allow: readonly string[] = ['*']) {
    this.#source = toSource(tools)
    this.names = this.#source.names.filter((name) => allow.some((pattern) => matchesName(pattern, name)))
    const reserved = this.names.find((name) => OF_LANGUAGE.includes(name))
    if (reserved !== undefined)
      throw new CodeError(
        'invalid_option',
        `codeTool: programs can't call a tool named "${reserved}", because JavaScript calls \`tools.${reserved}\` itself. Rename the tool, or leave it out of \`allow\`.`,
      )
    this.#allowed = new Set(this.names)
    this.#own = new Map([this.#searchTool(), this.#describeTool()].map((tool) => [tool.name, tool]))
    this.assertKnown('allow', allow)
  }

  /** Throws `invalid_option` if a pattern of the option matches no tool. Considers only tools that the registry already has. */
  assertKnown(option: string, patterns: readonly string[]): void {
    assertMatching(`codeTool: ${option}`, patterns, this.#source.names, [...this.#own.keys()])
  }

  /** Throws `invalid_option` if a tool hides a built-in function. Programs need both if not all tools are declared. */
  assertSearchable(): void {
    const hidden = this.names.find((name) => this.#own.has(name))
    if (hidden !== undefined)
      throw new CodeError(
        'invalid_option',
        `codeTool: the tool "${hidden}" hides the built-in function \`tools.${hidden}\`, which programs need because the declarations of the tools exceed \`declarationLength\`. Rename the tool, leave it out of \`allow\`, or raise \`declarationLength\`.`,
      )
  }

  get cards(): readonly ToolCard[] {
    return this.#source.cards().filter(({ name }) => this.#allowed.has(name))
  }

  has(name: string): boolean {
    return this.#own.has(name) || this.#allowed.has(name)
  }

  /** Imports the tool if necessary. */
  async load(name: string): Promise<Tool> {
    // A tool of the user takes precedence over a search tool with the same name.
    const own = this.#allowed.has(name) ? undefined : this.#own.get(name)
    if (own !== undefined) return own
    const tool = (await this.#source.resolve(name)).get(name)
    if (tool === undefined) throw new Error(`The registry has no tool "${name}".`)
    return tool as Tool
  }

  /** Returns a digest of the tool's schemas. */
  versionOf(tool: Tool): Promise<string> {
    const known = this.#versions.get(tool)
    if (known !== undefined) return known
    const { args, output } = tool
    const version = digestOf([args, output]).then((digest) => digest.slice(0, 16))
    this.#versions.set(tool, version)
    return version
  }

  #searchTool(): Tool {
    const limit = { type: 'integer', minimum: 1, maximum: MAX_FOUND, default: MAX_FOUND }
    const args = { type: 'object', properties: { query: { type: 'string', minLength: 1 }, limit }, required: ['query'] }
    return defineTool({
      name: SEARCH,
      description: SEARCH_DESCRIPTION,
      args: args as never,
      effect: 'read',
      strict: true,
      execute: async ({ query, limit }: { query: string; limit: number }) => {
        const hits = await this.#source.search(query, { limit, filter: ({ name }) => this.#allowed.has(name) })
        const cards = new Map(this.cards.map((card) => [card.name, card]))
        return hits.map(({ name }) => ({ name, declaration: declare(cards.get(name) ?? { name }) }))
      },
    } as never) as unknown as Tool
  }

  #describeTool(): Tool {
    const args = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    return defineTool({
      name: DESCRIBE,
      description: DESCRIBE_DESCRIPTION,
      args: args as never,
      effect: 'read',
      strict: true,
      execute: async ({ name }: { name: string }) => {
        if (!this.#allowed.has(name)) return unknownTool(name)
        // The error would contain the names of all tools, also of those that a program may not call.
        const tool = await this.load(name).catch(() => undefined)
        return tool === undefined ? unavailable(name) : declareInFull({ ...tool, name })
      },
    } as never) as unknown as Tool
  }
}

/** Returns the registry, or creates one from a toolset or a list. */
export function toSource(tools: CodeTools): Source {
  if (Array.isArray(tools)) return createRegistry(tools as readonly RegistryEntry[]) as unknown as Source
  if (typeof (tools as Partial<Source>)?.resolve === 'function') return tools as Source
  if (isToolSource(tools) || isTool(tools)) return createRegistry([tools as RegistryEntry]) as unknown as Source
  throw new CodeError('invalid_option', 'codeTool: pass a registry, a toolset, or a list of tools.')
}
