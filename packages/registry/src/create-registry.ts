/** Implements the registry: its entries, the places it searches, and the tools it has loaded. */
import {
  type Action,
  type CallOptions,
  isTool,
  type Tool,
  type ToolCall,
  type ToolMap,
  type ToolSpec,
  toSpec,
} from '@x/tool-core'
import { checkTools, type HiddenInTool } from './audit/verify.ts'
import type { NamedEntry, NamedTools, RegistryEntry, ToolsIn } from './entries.ts'
import { kindOf, RegistryError, type ResolutionFailure, ToolResolutionError } from './errors.ts'
import { isToolFactory, type OptionsSource } from './load/factory.ts'
import { type Definition, isLazy, LAZY, type LazyTool, type LoadOptions } from './load/lazy.ts'
import { KnownNames } from './names/known-names.ts'
import { NameTable } from './names/name-table.ts'
import { namesMatching, type ReferenceOptions, toReference } from './names/reference.ts'
import type { FoundName } from './names/tolerant-name.ts'
import { RegistryCalls } from './registry-calls.ts'
import { assertRegistryOptions, type RegistryOptions } from './registry-options.ts'
import type { ExecuteResult, Listed, RawCall, Registered, Registry } from './registry-types.ts'
import { completed, type FoundFailure, failuresOf } from './resolve/found-failures.ts'
import { type Place, resolverPlace, tablePlace } from './resolve/place.ts'
import { findListed, loadOptions, type ResolutionContext, resolveAll, resolveEntry, settleAll } from './resolve/resolution.ts'
import { listedCardOf, type ToolCard } from './search/card.ts'
import type { RegistrySearch, RegistrySearchOptions, SearchHit } from './search/registry-search.ts'

/** Methods that have type parameters. Their implementation has plain types, and `createRegistry` casts it once. */
type TypedMethod =
  | 'register'
  | 'registerTool'
  | 'registerTools'
  | 'registerAction'
  | 'registerActions'
  | 'alias'
  | 'merge'
  | 'resolve'
  | 'preload'
  | 'tool'
  | 'tools'
  | 'execute'

class ToolRegistry implements Omit<Registry, TypedMethod> {
  readonly name: string
  readonly #table: NameTable = new NameTable((name) => this.#holderOf(name))
  readonly #places: readonly Place[]
  readonly #context: ResolutionContext
  /** The search, once it is loaded. Most programs never search. */
  #search: RegistrySearch | undefined
  /** The loaded tools of lazy entries that don't store their tool. */
  readonly #loaded = new WeakMap<NamedEntry, Tool>()
  readonly #known: KnownNames
  readonly #calls: RegistryCalls

  constructor(entries: readonly RegistryEntry[], options: RegistryOptions) {
    assertRegistryOptions(options)
    const { name = 'registry', loadTimeoutMs = 10_000, resolvers = [], parent, onResolve } = options
    this.name = name
    this.#table.add(entries, 'createRegistry')
    const above = parent === undefined ? [] : ToolRegistry.#of(parent, 'createRegistry: parent').#places
    this.#places = [tablePlace(name, this.#table), ...resolvers.map(resolverPlace), ...above]
    this.#known = new KnownNames(this.#places)
    const onLoad = (entry: LazyTool, tool: Tool) => {
      if (entry.loaded === undefined) this.#loaded.set(entry, tool)
      this.#search?.learn(entry, tool)
    }
    this.#context = { places: this.#places, loadTimeoutMs, onResolve, onLoad }
    this.#calls = new RegistryCalls({
      names: this.#known,
      find: (wanted) => findListed(this.#context, wanted),
      resolve: (entry) => resolveEntry(this.#context, entry),
    })
  }

  static #of(given: unknown, where: string): ToolRegistry {
    if (typeof given === 'object' && given !== null && #table in given) return given
    throw new RegistryError(
      'invalid_entry',
      `${where} must be a registry, got ${kindOf(given)}. Create it with createRegistry from this package.`,
    )
  }

  get names(): readonly string[] {
    // A single place already has a list of names, which may be long, so it isn't copied.
    return this.#places.length === 1 ? this.#table.names : this.#known.list
  }

  get instructions(): readonly string[] {
    const all = new Set<string>()
    for (const place of this.#places) for (const words of place.instructions()) all.add(words)
    return [...all]
  }

  instructionsFor(names: readonly string[]): readonly string[] {
    // If several places have a name, the first of them wins.
    const all = new Set<string>()
    for (const name of names) {
      const words = this.#places.find((place) => place.nameOf(name) !== undefined)?.instructionsFor(name)
      if (words !== undefined) all.add(words)
    }
    return [...all]
  }

  has(name: string): boolean {
    return this.#known.nameOf(name) !== undefined
  }

  get(name: string): Registered | undefined {
    const entry = this.#known.entryOf(name)
    if (entry !== undefined) return toRegistered(entry.name, entry, (lazy) => this.#toolOf(lazy))
    // A resolver lists this name. The resolver must be called to find out which entry that is.
    return this.#known.nameOf(name) === undefined ? undefined : { name, kind: 'lazy', tool: undefined }
  }

  getOrThrow(name: string): Registered {
    assertPattern(name, 'getOrThrow', '("name")')
    const registered = this.get(name)
    if (registered === undefined) throw this.#failed([{ code: 'not_found', identifier: name }])
    return registered
  }

  listAll(): readonly Registered[] {
    return sorted(this.names.flatMap((name) => this.get(name) ?? []))
  }

  listTools(): readonly Listed[] {
    return ofKind(this.listAll(), 'tool')
  }

  listActions(): readonly Listed<Action>[] {
    return ofKind(this.listAll(), 'action') as readonly Listed<Action>[]
  }

  cards(): readonly ToolCard[] {
    return this.names.map((name) => {
      const entry = this.#known.entryOf(name)
      const tool = entry !== undefined && isTool(entry) ? entry : entry && this.#toolOf(entry)
      return tool === undefined ? (this.#cardOf(name) ?? { name }) : listedCardOf(tool)
    })
  }

  onChange(listener: () => void): () => void {
    const stops = this.#places.flatMap(({ table }) => table?.onChange(listener) ?? [])
    return () => {
      for (const stop of stops) stop()
    }
  }

  register(...entries: readonly RegistryEntry[]): this {
    this.#table.add(entries, 'register')
    return this
  }

  registerTool(tool: Tool): this {
    return this.#registerKind([tool], 'tool', 'registerTool')
  }

  registerTools(tools: readonly Tool[]): this {
    return this.#registerKind(tools, 'tool', 'registerTools')
  }

  registerAction(action: Action): this {
    return this.#registerKind([action], 'action', 'registerAction')
  }

  registerActions(actions: readonly Action[]): this {
    return this.#registerKind(actions, 'action', 'registerActions')
  }

  replace(entry: RegistryEntry): void {
    this.#table.replace(entry, 'replace')
  }

  unregister(name: string): boolean {
    return this.#table.remove(name)
  }

  clear(): void {
    this.#table.clear()
  }

  alias(alias: string, name: string): this {
    this.#table.alias(alias, name, 'alias')
    return this
  }

  merge(other: Registry): this {
    const places = ToolRegistry.#of(other, 'merge: the argument').#places
    const tables: NameTable[] = []
    for (const place of places) if (place.table !== undefined && !this.#places.includes(place)) tables.push(place.table)
    this.#table.addFrom(tables, other.name)
    return this
  }

  async resolve(...patterns: readonly string[]): Promise<ToolMap> {
    for (const pattern of patterns) if (Array.isArray(pattern)) assertPattern(pattern, 'resolve', PATTERNS)
    return resolveAll(this.#context, patterns)
  }

  /** Resolves an agent's tools. Without `names`, returns all tools. For an empty list, returns no tools. */
  async resolveFor(agent: string, names?: readonly string[]): Promise<ToolMap> {
    if (typeof agent !== 'string') {
      throw new RegistryError(
        'invalid_entry',
        `resolveFor: the agent must be a string, got ${kindOf(agent)}. Write registry.resolveFor("agent", names).`,
      )
    }
    if (names !== undefined && !Array.isArray(names)) {
      throw new RegistryError(
        'invalid_entry',
        `resolveFor: the names for "${agent}" must be an array, got ${kindOf(names)}. Omit them to resolve all tools.`,
      )
    }
    return names?.length === 0 ? new Map() : resolveAll(this.#context, names ?? [], { agent })
  }

  async preload(...patterns: readonly string[]): Promise<void> {
    await this.resolve(...patterns)
  }

  async verify(): Promise<readonly HiddenInTool[]> {
    const { tools, failures } = await settleAll(this.#context, [])
    // Some factories require options, which only a reference can pass.
    const isDue = ({ code, identifier }: ResolutionFailure) => code !== 'invalid_options' || !this.#isFactory(identifier)
    const searched = this.#places.map((place) => place.describe())
    return checkTools(tools, failures.filter(isDue), searched)
  }

  tool(name: string, options?: OptionsSource, reference?: ReferenceOptions): LazyTool {
    assertPattern(name, 'tool', '("name", options)')
    const definition = (loading?: LoadOptions) => this.#definitionOf(name, loading)
    return toReference({ name, definition, card: this.#cardOf(name) }, options, reference?.as)
  }

  tools(...patterns: readonly string[]): readonly LazyTool[] {
    const { names } = this
    const known = new Set(names)
    for (const pattern of patterns) assertPattern(pattern, 'tools', PATTERNS)
    const asked = patterns.length === 0 ? names : patterns.flatMap((pattern) => matching(pattern, known))
    return [...new Set(asked)].map((name) => this.tool(name))
  }

  find(name: string): FoundName | undefined {
    return this.#known.find(name)
  }

  execute(call: ToolCall | RawCall | string, args?: object, options?: CallOptions): Promise<ExecuteResult> {
    const isName = typeof call === 'string'
    const given: ToolCall | RawCall = isName ? { id: '', name: call, args: args as ToolCall['args'] } : call
    return this.#calls.execute(given, isName ? options : args)
  }

  async toRequestTools(): Promise<readonly ToolSpec[]> {
    return [...(await this.resolve()).values()].map(toSpec)
  }

  async search(query: string, options?: RegistrySearchOptions): Promise<readonly SearchHit[]> {
    const { RegistrySearch } = await import('./search/registry-search.ts')
    this.#search ??= new RegistrySearch(this.#places, (entry) => this.#toolOf(entry))
    return this.#search.search(query, options)
  }

  #registerKind(tools: readonly Tool[], kind: 'tool' | 'action', where: string): this {
    assertKind(tools, kind, where)
    this.#table.add(tools, 'register')
    return this
  }

  /** Returns the place that provides a name, unless the name is in this registry's own list. */
  #holderOf(name: string): string | undefined {
    return this.#places.find((place) => place.table !== this.#table && place.nameOf(name) !== undefined)?.label
  }

  #isFactory(name: string): boolean {
    const entry = this.#known.entryOf(name)
    return entry !== undefined && !isTool(entry) && !(isLazy(entry) && entry.loaded !== undefined)
  }

  /** Returns the loaded tool of an entry, even if another registry has loaded it. */
  #toolOf(entry: NamedEntry): Tool | undefined {
    return (isLazy(entry) ? entry.loaded : undefined) ?? this.#loaded.get(entry)
  }

  #failed(failures: readonly FoundFailure[]): ToolResolutionError {
    return new ToolResolutionError(completed(this.#places, failures))
  }

  #cardOf(name: string) {
    const entry = this.#known.entryOf(name)
    return entry === undefined || isTool(entry) ? undefined : entry.card
  }

  /** Loads a definition for a reference, which applies its own options. The timeout is always that of this registry. */
  async #definitionOf(name: string, loading: LoadOptions = {}): Promise<Definition> {
    try {
      const entry = await findListed(this.#context, name, loading.asking)
      if (entry === undefined) throw this.#failed([{ code: 'not_found', identifier: name }])
      if (!isLazy(entry)) return entry
      return await entry[LAZY]({ ...loadOptions(this.#context, loading.asking), onLoaded: loading.onLoaded })
    } catch (error) {
      throw this.#failed(failuresOf(name, error))
    }
  }
}

function assertKind(tools: readonly unknown[], kind: 'tool' | 'action', where: string): void {
  if (!Array.isArray(tools)) {
    throw new RegistryError(
      'invalid_entry',
      `${where}: the argument must be an array, got ${kindOf(tools)}. Write ${where}([${kind}]) or ${where.slice(0, -1)}(${kind}).`,
    )
  }
  for (let position = 0; position < tools.length; position++) assertOne(tools[position], kind, where, position)
}

function assertOne(tool: unknown, kind: 'tool' | 'action', where: string, position: number): void {
  if (!isTool(tool)) {
    const fix = `Create it with ${kind === 'tool' ? 'defineTool' : 'defineAction'}. To add toolsets and lazy tools, use register.`
    throw new RegistryError(
      'invalid_entry',
      `${where}: entry ${position} must be ${kind === 'tool' ? 'a tool' : 'an action'}, got ${kindOf(tool)}. ${fix}`,
    )
  }
  if (tool.kind === kind) return
  throw new RegistryError(
    kind === 'tool' ? 'not_a_tool' : 'not_an_action',
    `${where}: "${tool.name}" is of kind "${tool.kind}", not "${kind}". Use register.`,
  )
}

const PATTERNS = '("name", "prefix_*"); spread an array: ...names'

function assertPattern(pattern: unknown, method: string, usage: string): void {
  if (typeof pattern === 'string') return
  const got = kindOf(pattern)
  throw new RegistryError('invalid_entry', `${method}: a name must be a string, got ${got}. Write registry.${method}${usage}.`)
}

/**
 * Returns the names that match a pattern. If no name matches, returns the pattern itself, so that its resolution fails with `not_found`.
 */
function matching(pattern: string, names: ReadonlySet<string>): readonly string[] {
  const found = namesMatching(pattern, names)
  return found.length === 0 ? [pattern] : found
}

/**
 * Creates a registry from tools, toolsets and factories, and from lazy versions of them. Imports nothing. Throws a `RegistryError` if two
 * entries have names that are equal or differ only in case.
 */
export function createRegistry<const Entries extends readonly RegistryEntry[], ParentTools extends NamedTools = NoTools>(
  entries: Entries,
  options: RegistryOptions<ParentTools> = {},
): Registry<ToolsIn<Entries> & Omit<ParentTools, keyof ToolsIn<Entries>>> {
  return new ToolRegistry(entries, options as RegistryOptions) as never
}

type NoTools = Record<never, never>

/** Returns the loaded tool of an entry. */
export type ToolOf = (entry: NamedEntry) => Tool | undefined

function toRegistered(name: string, entry: NamedEntry, toolOf: ToolOf): Registered {
  const tool = isTool(entry) ? entry : toolOf(entry)
  if (tool !== undefined) return { name, kind: tool.kind, tool }
  return { name, kind: isToolFactory(entry) ? 'factory' : 'lazy', tool: undefined }
}

/** Sorts by name in the order of UTF-16 code units, which doesn't depend on the locale. */
export function sorted<Named extends { readonly name: string }>(all: readonly Named[]): readonly Named[] {
  return all.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
}

function ofKind(all: readonly Registered[], kind: string): readonly Listed[] {
  return all.flatMap((one) => (one.tool !== undefined && one.kind === kind ? [{ name: one.name, tool: one.tool }] : []))
}
