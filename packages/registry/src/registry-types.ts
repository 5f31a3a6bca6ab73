/**
 * The public interface of a registry. It has the names of all tools from the start, and imports a module when an agent needs one of its
 * tools.
 */
import type {
  Action,
  ArgsOf,
  CallOptions,
  OutputOf,
  Tool,
  ToolCall,
  ToolMap,
  ToolResolver,
  ToolResult,
  ToolSpec,
} from '@x/tool-core'
import type { HiddenInTool } from './audit/verify.ts'
import type { ByName, NamedTools, RegistryEntry, ToolsIn } from './entries.ts'
import type { OptionsSource } from './load/factory.ts'
import type { LazyTool } from './load/lazy.ts'
import type { Named, PrefixOf, ReferenceOptions } from './names/reference.ts'
import type { FoundName, NameTag } from './names/tolerant-name.ts'
import type { ToolCard } from './search/card.ts'
import type { RegistrySearchOptions, SearchHit } from './search/registry-search.ts'

/** The entry that a name refers to. The kind of a lazy tool, or of a factory's tool, is unknown until the tool is resolved. */
export type Registered<Name extends string = string> =
  | { readonly name: Name; readonly kind: string; readonly tool: Tool<Name> }
  | { readonly name: Name; readonly kind: 'lazy' | 'factory'; readonly tool: undefined }

export interface Listed<T extends Tool = Tool> {
  readonly name: string
  readonly tool: T
}

/** The names of the tools in a map. */
// Not used for parameters: the compiler's messages would show the types of the tools instead of their names.
export type NameIn<Tools> = keyof Tools & string

/** The tools whose names match the patterns, or all tools if there are no patterns. */
export type Matching<Tools, Pattern> = [Pattern] extends [never]
  ? Tools[keyof Tools]
  : Pattern extends `${infer Prefix}*`
    ? Tools[Extract<keyof Tools, `${Prefix}${string}`>]
    : Tools[Pattern & keyof Tools]

/** A map from names to tools that keeps the type of each tool. */
export interface ResolvedTools<T extends Tool = Tool> extends ToolMap {
  get<Name extends T['name']>(name: Name): T extends unknown ? Found<T, Name> : never
  values(): ReturnType<ReadonlyMap<T['name'], T>['values']>
}

/** The tool with this name. The type includes undefined if the name isn't known at compile time. */
type Found<T extends Tool, Name extends string> = Name extends T['name']
  ? Record<never, never> extends Record<T['name'], unknown>
    ? T | undefined
    : T
  : never

/** The type of references to these tools. */
export type ReferenceTo<T extends Tool> = T extends Tool<infer Name> ? LazyTool<Name, T> : never

/** The result of a call, and how the called name differs from the tool's name. */
export type ExecuteResult<Output = unknown> = ToolResult<Output> & { readonly nameTags: readonly NameTag[] }

/** A call as the provider sends it. `arguments` is JSON text. */
export interface RawCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** The part of a registry's interface that an agent with a search needs. */
export interface SearchableRegistry extends ToolResolver {
  /** Returns the instructions of these tools' toolsets, without duplicates. A lazy toolset has none before it is imported. */
  instructionsFor(names: readonly string[]): readonly string[]
  resolve(...names: readonly string[]): Promise<ToolMap>
  /** Returns the tools that match a query, best match first. Doesn't import any tool. */
  search(query: string, options?: RegistrySearchOptions): Promise<readonly SearchHit[]>
}

/**
 * A registry. Methods that change it apply all of their arguments, or throw `RegistryError` and change nothing. Tools that are already
 * resolved stay the same: an agent keeps the tools that it was created with.
 */
export interface Registry<Tools extends NamedTools = NamedTools> extends SearchableRegistry {
  readonly name: string
  /**
   * All tool names: the registry's in order of registration, then those that resolvers list, then the parent's. The array is frozen, and
   * each change replaces it. The type also contains aliases, because they can be resolved. The array contains only the tools' own names.
   */
  readonly names: readonly NameIn<Tools>[]
  readonly instructions: readonly string[]

  /** True for a known name, even one that a resolver or the parent provides. */
  has(name: string): boolean
  /** Returns the entry with this name. Undefined for an unknown name. Imports nothing. */
  get(name: string): Registered | undefined
  /** Like `get`, but throws a `ToolResolutionError` with similar names. */
  getOrThrow(name: keyof Tools & string): Registered<NameIn<Tools>>
  /** Returns all entries, sorted by name. */
  listAll(): readonly Registered[]
  /** Returns the loaded tools of kind `tool`, sorted by name. Includes a lazy tool only after it is resolved. */
  listTools(): readonly Listed[]
  /** Returns the loaded actions, sorted by name. */
  listActions(): readonly Listed<Action>[]
  /**
   * Returns the cards of all tools, in the order of `names`. Imports nothing: a lazy tool has the card that was declared with it, or a card
   * with only its name. The card of a loaded tool contains its schemas instead of `arguments`.
   */
  cards(): readonly ToolCard[]
  /**
   * Calls the listener after a method of this registry or its parent, or a toolset, has changed the list. Changes in a resolver aren't
   * detected. Returns a function that removes the listener.
   */
  onChange(listener: () => void): () => void

  /** Adds entries. Returns the same registry with a type that includes their names. */
  register<const Entries extends readonly RegistryEntry[]>(...entries: Entries): Registry<Tools & ToolsIn<Entries>>
  /** Adds a tool. Throws `not_a_tool` for an action and for a tool of a custom kind. */
  registerTool<const T extends Tool>(tool: T): Registry<Tools & ByName<T>>
  registerTools<const T extends Tool>(tools: readonly T[]): Registry<Tools & ByName<T>>
  /** Adds an action. Throws `not_an_action` for a plain tool. */
  registerAction<const A extends Action>(action: A): Registry<Tools & ByName<A>>
  registerActions<const A extends Action>(actions: readonly A[]): Registry<Tools & ByName<A>>
  /** Replaces the entry with the same name, which must exist. */
  replace(entry: RegistryEntry): void
  /** Removes an alias, or an entry and its aliases. Returns false for a name that isn't in this registry's own list. */
  unregister(name: string): boolean
  clear(): void
  /**
   * Adds a second name for a tool, for example because an old prompt or transcript uses that name. Resolving the alias returns the tool
   * under its own name.
   */
  alias<const Alias extends string, const Name extends keyof Tools & string>(
    alias: Alias,
    name: Name,
  ): Registry<Tools & { readonly [Key in Alias]: Tools[Name] }>
  /**
   * Copies the entries and aliases of another registry and its parents into this one. Skips identical entries. Resolvers aren't copied, and
   * later changes to the other registry have no effect.
   */
  merge<Other extends NamedTools>(other: Registry<Other>): Registry<Tools & Other>

  /**
   * Imports and returns the tools that match the patterns, or all tools if there are no patterns. Rejects with {@link ToolResolutionError}.
   */
  resolve<const Patterns extends readonly ((keyof Tools & string) | PrefixOf<keyof Tools & string>)[]>(
    ...patterns: Patterns
  ): Promise<ResolvedTools<Matching<Tools, Patterns[number]>>>
  /** Imports the tools, but doesn't return them. */
  preload<const Patterns extends readonly ((keyof Tools & string) | PrefixOf<keyof Tools & string>)[]>(
    ...patterns: Patterns
  ): Promise<void>
  /**
   * Imports every tool and compiles every schema. Meant for a test in CI. Rejects with a {@link ToolResolutionError} that lists all
   * failures. Returns the hidden characters that were found, which are legal but worth a review.
   */
  verify(): Promise<readonly HiddenInTool[]>
  /** Returns a reference to a tool, with options if it's a factory, for an agent's list. Imports nothing before the agent is created. */
  tool<const Name extends keyof Tools & string, const Alias extends string = Name>(
    name: Name,
    options?: OptionsSource,
    reference?: ReferenceOptions<Alias>,
  ): LazyTool<NoInfer<Alias>, Named<Tools[Name], NoInfer<Alias>>>
  /** Returns references to several tools. Spread them into an agent's list. */
  tools<const Patterns extends readonly ((keyof Tools & string) | PrefixOf<keyof Tools & string>)[]>(
    ...patterns: Patterns
  ): readonly ReferenceTo<Matching<Tools, Patterns[number]>>[]

  /**
   * Finds the tool that a model meant by a name, even if case, punctuation or a namespace prefix differ. Returns undefined if no tool
   * matches, or more than one.
   */
  find(name: string): FoundName | undefined
  /**
   * Executes a model's call. Pass parsed `args`, or the text that a provider sends as `arguments`. Finds the tool, imports it if it is
   * lazy, and calls it. Never rejects.
   */
  execute(call: ToolCall | RawCall, options?: CallOptions): Promise<ExecuteResult>
  /** Calls a tool from your own code. */
  // This overload comes last, because the compiler reports the mistakes in the last one.
  execute<const Name extends keyof Tools & string>(
    name: Name,
    args: ArgsOf<Tools[Name]>,
    options?: CallOptions,
  ): Promise<ExecuteResult<OutputOf<Tools[Name]>>>
  /** Imports all tools and returns their specs in order of registration. */
  toRequestTools(): Promise<readonly ToolSpec[]>
}
