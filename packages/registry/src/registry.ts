/** The public interface of a registry: names known up front, modules imported when an agent needs them. */
import type { Action, CallOptions, Tool, ToolCall, ToolMap, ToolResolver, ToolResult, ToolSpec } from '@x/tool-core'
import type { HiddenInTool } from './audit/verify.ts'
import type { EntryName, RegistryEntry } from './entries.ts'
import type { OptionsSource } from './load/factory.ts'
import type { LazyTool } from './load/lazy.ts'
import type { NamePattern, ReferenceOptions } from './names/reference.ts'
import type { FoundName, NameTag } from './names/tolerant-name.ts'
import type { RegistrySearchOptions, SearchHit } from './search/registry-search.ts'

/** The entry that a name refers to. The kind of a lazy tool or a factory is known once it is resolved. */
export type Registered<Name extends string = string> =
  | { readonly name: Name; readonly kind: 'tool' | 'action'; readonly tool: Tool<Name> }
  | { readonly name: Name; readonly kind: 'lazy' | 'factory'; readonly tool: undefined }

export interface Listed<T extends Tool = Tool> {
  readonly name: string
  readonly tool: T
}

/** The result of a call, with how the name in the call differed from the tool's. */
export type ExecuteResult = ToolResult & { readonly nameTags: readonly NameTag[] }

/**
 * Methods that change a registry either apply all of their arguments, or throw `RegistryError` and change nothing. Tools that
 * were resolved before stay as they are: an agent keeps the tools that it was created with.
 */
export interface Registry<Name extends string = string> extends ToolResolver {
  readonly name: string
  /**
   * All tool names in order of registration, those of the parent last. A frozen array, replaced after each change. The type also
   * contains aliases, because they can be resolved, but the array lists only the tool under its own name.
   */
  readonly names: readonly Name[]
  readonly instructions: readonly string[]
  /** The instructions of the toolsets that these tools belong to, each once. A lazy toolset has them once it is imported. */
  instructionsFor(names: readonly string[]): readonly string[]

  /** Includes the names of resolvers and of the parent. */
  has(name: string): boolean
  /** Returns undefined for an unknown name. Imports nothing. */
  get(name: string): Registered | undefined
  /** Like `get`, but throws `ToolResolutionError` with similar names. */
  getOrThrow(name: Name): Registered<Name>
  /** All entries, sorted by name. */
  listAll(): readonly Registered[]
  /** The loaded tools, sorted by name. A lazy tool is listed once it is resolved. */
  listTools(): readonly Listed[]
  /** The loaded actions, sorted by name. */
  listActions(): readonly Listed<Action>[]

  /** Adds entries and returns the same registry, typed with their names. */
  register<const Entries extends readonly RegistryEntry[]>(...entries: Entries): Registry<Name | EntryName<Entries[number]>>
  /** Adds a tool. Throws `not_a_tool` for an action. */
  registerTool<const N extends string>(tool: Tool<N>): Registry<Name | N>
  registerTools<const N extends string>(tools: readonly Tool<N>[]): Registry<Name | N>
  /** Adds an action. Throws `not_an_action` for a plain tool. */
  registerAction<const N extends string>(action: Action<N>): Registry<Name | N>
  registerActions<const N extends string>(actions: readonly Action<N>[]): Registry<Name | N>
  /** Replaces the entry of the same name, which must exist. */
  replace(entry: RegistryEntry): void
  /** Removes an alias, or an entry with its aliases. Returns false if this registry's own list doesn't have the name. */
  unregister(name: string): boolean
  clear(): void
  /** Adds a second name for a tool, such as one used by an old prompt or transcript. It resolves to the tool under its own name. */
  alias<const Alias extends string>(alias: Alias, name: Name): Registry<Name | Alias>
  /**
   * Copies the entries and aliases of another registry and of its parents into this one. An identical entry is
   * skipped. Resolvers are not copied, and later changes of the other registry are not seen.
   */
  merge<const Other extends string>(other: Registry<Other>): Registry<Name | Other>

  /** Imports and returns the tools that the patterns match, or all tools. Rejects with {@link ToolResolutionError}. */
  resolve<const Patterns extends readonly NamePattern<Name>[]>(...patterns: Patterns): Promise<ToolMap>
  /** Imports the tools without returning them. */
  preload<const Patterns extends readonly NamePattern<Name>[]>(...patterns: Patterns): Promise<void>
  /**
   * Imports everything and compiles all schemas; meant for a test in CI. Rejects with {@link ToolResolutionError}, which lists all
   * failures. Returns the hidden characters that were found: they are legal, but worth a look.
   */
  verify(): Promise<readonly HiddenInTool[]>
  /** A reference to one tool for an agent's list, with options for a factory. Nothing is imported before the agent is created. */
  tool<const N extends Name, const Alias extends string = N>(
    name: N,
    options?: OptionsSource,
    reference?: ReferenceOptions<Alias>,
  ): LazyTool<NoInfer<Alias>>
  /** References to several tools, to spread into an agent's list. */
  tools<const Patterns extends readonly NamePattern<Name>[]>(...patterns: Patterns): readonly LazyTool<Name>[]

  /**
   * Finds the tool for a name that a model wrote, even if it differs in case, punctuation or a namespace prefix. Returns undefined when no
   * tool matches, or more than one.
   */
  find(name: string): FoundName | undefined
  /** Finds the tool, imports it if it is lazy, and calls it. Never rejects. */
  execute(call: ToolCall, options?: CallOptions): Promise<ExecuteResult>
  /** Imports all tools and returns their specs in order of registration. */
  toRequestTools(): Promise<readonly ToolSpec[]>
  /** Returns the tools that match a text, best match first. Imports nothing. */
  search(query: string, options?: RegistrySearchOptions): Promise<readonly SearchHit[]>
}
