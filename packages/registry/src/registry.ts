/** The one list of tools: names known now, modules imported when an agent needs them. */
import type { Action, CallOptions, Tool, ToolCall, ToolMap, ToolResolver, ToolResult, ToolSpec } from '@x/tool-core'
import type { HiddenInTool } from './audit/verify.ts'
import type { EntryName, RegistryEntry } from './entries.ts'
import type { OptionsSource } from './load/factory.ts'
import type { LazyTool } from './load/lazy.ts'
import type { NamePattern, ReferenceOptions } from './names/reference.ts'
import type { FoundName, NameTag } from './names/tolerant-name.ts'
import type { RegistrySearchOptions, SearchHit } from './search/registry-search.ts'

/** What stands behind a name. A lazy tool or a factory is of a kind that is known when it was resolved. */
export type Registered<Name extends string = string> =
  | { readonly name: Name; readonly kind: 'tool' | 'action'; readonly tool: Tool<Name> }
  | { readonly name: Name; readonly kind: 'lazy' | 'factory'; readonly tool: undefined }

export interface Listed<T extends Tool = Tool> {
  readonly name: string
  readonly tool: T
}

/** What became of a call, and how its name differed from that of the tool. */
export type ExecuteResult = ToolResult & { readonly nameTags: readonly NameTag[] }

/**
 * Every way to change a registry takes all that it is given or, with a `RegistryError`, nothing. What was resolved before stays
 * as it was: an agent keeps the tools that it was created with.
 */
export interface Registry<Name extends string = string> extends ToolResolver {
  readonly name: string
  /**
   * In the order of registration, those of the parent last; frozen, another list after each change. An alias is one of the type's
   * names, since it may be asked for, but is not listed: the tool is, under its own name.
   */
  readonly names: readonly Name[]
  readonly instructions: readonly string[]
  /** What the toolsets of these tools have to say about them, each once; of a lazy one when it was imported. */
  instructionsFor(names: readonly string[]): readonly string[]

  /** Also for the name of a resolver or of the parent. */
  has(name: string): boolean
  /** Undefined for an unknown name. Imports nothing. */
  get(name: string): Registered | undefined
  /** As `get`. Throws `ToolResolutionError` with near names. */
  getOrThrow(name: Name): Registered<Name>
  /** Sorted by name. */
  listAll(): readonly Registered[]
  /** Those tools that are there, sorted by name: a lazy one once it was resolved. */
  listTools(): readonly Listed[]
  /** The same for actions. */
  listActions(): readonly Listed<Action>[]

  /** Adds entries; the same registry, of a type that knows their names. */
  register<const Entries extends readonly RegistryEntry[]>(...entries: Entries): Registry<Name | EntryName<Entries[number]>>
  /** Refuses an action: `not_a_tool`. */
  registerTool<const N extends string>(tool: Tool<N>): Registry<Name | N>
  registerTools<const N extends string>(tools: readonly Tool<N>[]): Registry<Name | N>
  /** Refuses a light tool: `not_an_action`. */
  registerAction<const N extends string>(action: Action<N>): Registry<Name | N>
  registerActions<const N extends string>(actions: readonly Action<N>[]): Registry<Name | N>
  /** Puts an entry in the place of the one with its name, which there must be. */
  replace(entry: RegistryEntry): void
  /** An alias alone, or an entry with its aliases. False when there is none of that name in this registry's own list. */
  unregister(name: string): boolean
  clear(): void
  /** Another name for a tool, as an old prompt or a transcript may use; resolved to the tool under its own. */
  alias<const Alias extends string>(alias: Alias, name: Name): Registry<Name | Alias>
  /**
   * Adds the entries and aliases of another registry as its own, and those of that one's parents, for their names are names of
   * the other as well; the very same entry is no second one. Its resolvers stay behind, and so do later changes of it.
   */
  merge<const Other extends string>(other: Registry<Other>): Registry<Name | Other>

  /** Imports what is lazy and returns the tools that the patterns name, or all. Rejects with {@link ToolResolutionError}. */
  resolve<const Patterns extends readonly NamePattern<Name>[]>(...patterns: Patterns): Promise<ToolMap>
  /** Imports now what would be imported later. */
  preload<const Patterns extends readonly NamePattern<Name>[]>(...patterns: Patterns): Promise<void>
  /**
   * Imports everything and compiles its schemas: a test for CI. Rejects with {@link ToolResolutionError} for all that is wrong;
   * gives what is legal and worth a look.
   */
  verify(): Promise<readonly HiddenInTool[]>
  /** A reference to one tool for an agent's list, with options where it is a factory; nothing is imported before the agent is created. */
  tool<const N extends Name, const Alias extends string = N>(
    name: N,
    options?: OptionsSource,
    reference?: ReferenceOptions<Alias>,
  ): LazyTool<NoInfer<Alias>>
  /** References to several tools, to spread into an agent's list. */
  tools<const Patterns extends readonly NamePattern<Name>[]>(...patterns: Patterns): readonly LazyTool<Name>[]

  /** The tool that a model's name means, should it differ in case, signs or a namespace; undefined for none, and between two. */
  find(name: string): FoundName | undefined
  /** Finds the tool, imports it when it is lazy, and calls it. Never rejects. */
  execute(call: ToolCall, options?: CallOptions): Promise<ExecuteResult>
  /** The specs of all tools, imported for it, in their order. */
  toRequestTools(): Promise<readonly ToolSpec[]>
  /** The tools that fit a text best, best first; nothing is imported. */
  search(query: string, options?: RegistrySearchOptions): Promise<readonly SearchHit[]>
}
