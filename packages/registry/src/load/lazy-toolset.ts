/** Lazy toolsets, which are imported when one of their tools is needed. */
import { isTool, isToolName, isToolSource, type Tool, type ToolSource } from '@x/tool-core'
import { kindOf, LoadError, RegistryError } from '../errors.ts'
import { assertCard, type ToolCard } from '../search/card.ts'
import { type LazyTool, type LoaderContext, type LoadOptions, notALoader, toLazy } from './lazy.ts'
import { ModuleLoader } from './module-loader.ts'

/** What a toolset's loader may return: the toolset, or a module with a toolset as its default export. */
export type LoadedToolset = ToolSource | { readonly default: ToolSource }

export const LAZY_TOOLSET: unique symbol = Symbol.for('@x/registry/lazy-toolset') as never

/** The tools of one module, which are all imported together. */
export interface LazyToolset<Name extends string = string> {
  readonly [LAZY_TOOLSET]: true
  readonly name: string
  /**
   * The tool names. Undefined if they are unknown before the import. The first look-up of a name that starts with the toolset's name then
   * imports the toolset.
   */
  readonly names: readonly Name[] | undefined
  /** The tools, after their import. Always undefined if `names` is known. */
  readonly loaded?: readonly Tool[] | undefined
  /** Instructions for the model. Undefined before the import. */
  readonly instructions: string | undefined
  /** Returns the cards of the tools, which are available before the import. */
  cards?(): readonly ToolCard[]
  /** Loads all tools once, for all callers. A failed attempt isn't cached. */
  load(options?: LoadOptions): Promise<readonly Tool[]>
  /** Loads a single tool. Defined only if it costs less than loading all tools. Resolves to undefined for an unknown name. */
  loadOne?(name: string, options?: LoadOptions): Promise<Tool | undefined>
  /** Calls the listener after the names, the cards or the loaded tools have changed. Returns a function that removes the listener. */
  onChange?(listener: () => void): () => void
}

/** A tool of a lazy toolset: its name, or its card. */
export type ToolsetMember<Name extends string = string> = Name | (ToolCard & { readonly name: Name })

/**
 * Declares a toolset. `load` runs when one of its tools is resolved. If `members` contains names such as `memory_store`, the tools are
 * listed, typed and found before the import. If `members` contains cards, searches and listings also have the descriptions and schemas.
 * Without `members`, a toolset with `onChange` is listed again after each change. Throws `RegistryError('invalid_entry')`.
 */
export function lazyToolset<const Name extends string, const ToolName extends `${Name}_${string}` = `${Name}_${string}`>(
  name: Name,
  load: (context: LoaderContext) => Promise<LoadedToolset>,
  members?: readonly ToolsetMember<ToolName>[],
): LazyToolset<ToolName> {
  const owner = `lazyToolset(${JSON.stringify(name)})`
  if (!isToolName(name))
    throw new RegistryError('invalid_entry', `${owner}: the name is not a valid toolset name. Use letters, digits and "_".`)
  if (typeof load !== 'function') throw notALoader(owner, load)
  if (members !== undefined && !Array.isArray(members))
    throw new RegistryError(
      'invalid_entry',
      `${owner}: its tool names must be an array, got ${kindOf(members)}. Write ["${name}_…"].`,
    )
  const cards = members?.map((member): ToolCard => (typeof member === 'object' ? member : { name: member }))
  for (const card of cards ?? []) {
    assertCard(card)
    if (isToolName(card.name) && card.name.startsWith(`${name}_`)) continue
    throw new RegistryError(
      'invalid_entry',
      `${owner}: "${card.name}" is not a valid name for one of its tools. Tool names must start with "${name}_".`,
    )
  }
  return new ModuleToolset(name, load, cards) as LazyToolset as LazyToolset<ToolName>
}

class ModuleToolset implements LazyToolset {
  readonly [LAZY_TOOLSET] = true
  readonly name: string
  readonly names: readonly string[] | undefined
  readonly #cards: readonly ToolCard[]
  readonly #loader: ModuleLoader<LoadedToolset, readonly Tool[]>
  readonly #listeners = new Set<() => void>()
  #source: ToolSource | undefined
  #loaded: readonly Tool[] | undefined

  constructor(name: string, load: (context: LoaderContext) => Promise<LoadedToolset>, cards: readonly ToolCard[] | undefined) {
    this.name = name
    this.names = cards && Object.freeze(cards.map((card) => card.name))
    this.#cards = cards ?? []
    this.#loader = new ModuleLoader(name, load, (_, loaded) => this.#take(loaded))
    Object.freeze<object>(this)
  }

  get loaded(): readonly Tool[] | undefined {
    return this.names === undefined ? this.#loaded : undefined
  }

  get instructions(): string | undefined {
    return this.#source?.instructions
  }

  cards(): readonly ToolCard[] {
    return this.#cards
  }

  async load(options?: LoadOptions): Promise<readonly Tool[]> {
    const first = await this.#loader.fetch(options)
    return this.#loaded ?? first
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #take(given: LoadedToolset): Promise<readonly Tool[]> {
    const source = toSource(given)
    const tools = await toolsOf(this.name, source)
    if (this.#source !== undefined) return tools // Another attempt succeeded first.
    this.#source = source
    this.#loaded = tools
    source?.onChange?.(() => void this.#listAgain())
    return tools
  }

  /**
   * Lists the source again after a change. If that fails, keeps the earlier list. The source reports another change once it can list its
   * tools.
   */
  async #listAgain(): Promise<void> {
    try {
      this.#loaded = await toolsOf(this.name, this.#source)
    } catch {
      return
    }
    for (const listener of this.#listeners) listener()
  }
}

export function isLazyToolset(value: unknown): value is LazyToolset {
  return typeof value === 'object' && value !== null && (value as Partial<LazyToolset>)[LAZY_TOOLSET] === true
}

/** True for a toolset whose tools are unknown, or that has none at present. */
export function isEmpty({ names, loaded }: LazyToolset): boolean {
  return names === undefined && !loaded?.length
}

/** The lazy tools that were created for each toolset, by name. */
const made = new WeakMap<LazyToolset, ReadonlyMap<string, LazyTool>>()

/** Returns the loaded tools of a toolset, or a lazy tool for each known name. Resolving any of them imports the toolset. */
export function membersOf(toolset: LazyToolset): readonly (Tool | LazyTool)[] {
  const { loaded, names } = toolset
  if (loaded !== undefined) return loaded
  if (names === undefined) return []
  const cards = byName(toolset.cards?.() ?? [])
  const known = made.get(toolset)
  const members = names.map((name) => {
    const before = known?.get(name)
    const card = cards.get(name)
    if (before !== undefined && before.card === card) return before
    const load = async (options?: LoadOptions) =>
      (await toolset.loadOne?.(name, options)) ?? pick(toolset, name, await toolset.load(options))
    return toLazy(name, load, load, card)
  })
  made.set(toolset, byName(members))
  return members
}

function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>()
  for (const item of items) map.set(item.name, item)
  return map
}

/** The tools of each list, by name. */
const named = new WeakMap<readonly Tool[], ReadonlyMap<string, Tool>>()

function pick({ name: toolset }: LazyToolset, name: string, tools: readonly Tool[]): Tool {
  const known = named.get(tools) ?? byName(tools)
  named.set(tools, known)
  const tool = known.get(name)
  if (tool !== undefined) return tool
  const words = `The toolset "${toolset}" has no tool with this name. Its tools: ${shortList(tools) || 'none'}.`
  throw new LoadError('wrong_name', words, {
    fix: `Use only the names of tools in the toolset "${toolset}".`,
  })
}

const MAX_LISTED = 20

function shortList(tools: readonly Tool[]): string {
  const names = tools.slice(0, MAX_LISTED).map(({ name }) => name)
  return `${names.join(', ')}${tools.length > MAX_LISTED ? `, … (${tools.length} in total)` : ''}`
}

function toSource(loaded: LoadedToolset): ToolSource | undefined {
  const candidates = [loaded, (loaded as { default?: unknown } | null | undefined)?.default]
  if (candidates.some(isTool)) throw new LoadError('wrong_kind', 'Its loader returned a tool, not a toolset.')
  return candidates.find(isToolSource)
}

/** Frozen lists that have been checked, each with the name of its toolset. */
const checked = new WeakMap<object, string>()

/**
 * Returns the tools of a source. Throws `LoadError` if there is no source, if `tools()` doesn't return a list of tools, or if a tool's name
 * lacks the toolset's prefix.
 */
export async function toolsOf(name: string, source: ToolSource | undefined): Promise<readonly Tool[]> {
  const tools: unknown = await source?.tools()
  if (checked.get(tools as object) === name) return tools as readonly Tool[]
  if (!Array.isArray(tools) || !tools.every(isTool)) throw noToolset(name, tools)
  const stranger = tools.find((tool) => !tool.name.startsWith(`${name}_`))
  if (stranger === undefined) {
    if (Object.isFrozen(tools)) checked.set(tools, name)
    return tools
  }
  const fix = `Pass the name of the exported toolset to lazyToolset(). With "${name}", all tool names must start with "${name}_".`
  throw new LoadError('wrong_name', `The toolset "${name}" contains a tool named "${stranger.name}".`, { fix })
}

function noToolset(name: string, tools: unknown): LoadError {
  const fix = `Make the toolset "${name}" the module's default export. A toolset is any object with a tools() method that returns a list of tools.`
  return new LoadError('invalid_module', `Its loader did not return a toolset: tools() returned ${kindOf(tools)}.`, { fix })
}
