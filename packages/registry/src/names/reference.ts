/** Creates references for an agent's list of tools. A reference is a tool under another name or with options, or a whole toolset. */
import {
  type ArgsOf,
  deriveTool,
  isTool,
  isToolSource,
  matchesName,
  type OutputOf,
  type Tool,
  type ToolSource,
} from '@x/tool-core'
import { kindOf, LoadError, RegistryError } from '../errors.ts'
import { createConfigured, isToolFactory, type OptionsSource, type ToolFactory } from '../load/factory.ts'
import { type Definition, isLazy, LAZY, type LazyTool, type LoadOptions, type ToolIn, toLazy } from '../load/lazy.ts'
import { isLazyToolset, type LazyToolset } from '../load/lazy-toolset.ts'
import type { ToolCard } from '../search/card.ts'

/** A single tool to refer to. */
export type Referable<Name extends string = string> = Tool<Name> | ToolFactory<Name, never> | LazyTool<Name>

export interface ReferenceOptions<Name extends string = string> {
  /** The tool's name for the agent. Default: the tool's own name. */
  readonly as?: Name | undefined
}

/** The tool that a reference refers to. */
type Referred<Reference> = Reference extends LazyTool<string, infer T> ? T : ToolIn<Reference>

/** A tool type with another name. */
export type Named<T extends Tool, Name extends string> = T['name'] extends Name ? T : Tool<Name, ArgsOf<T>, OutputOf<T>>

/** The options that a reference to a factory takes. */
type OptionsFor<Reference> = Reference extends ToolFactory<string, infer Options> ? OptionsSource<Options> : OptionsSource

/** A group of tools that have their own names. */
export type ReferableToolset = ToolSource | LazyToolset

/**
 * Creates a reference for an agent's list. Pass a tool, a lazy tool, or a factory and its options. `as` gives the tool another name. Until
 * the agent is created, nothing is imported, and a callback that returns options isn't called. A reference to a factory creates a new tool
 * for each agent. A toolset is returned unchanged, so configure it where you create it. Throws `RegistryError('invalid_entry')` for any
 * other value.
 */
export function tool<const Toolset extends ReferableToolset>(toolset: Toolset): Toolset
export function tool<
  Name extends string,
  const Reference extends Referable<Name>,
  const Alias extends string = Reference['name'],
>(
  reference: Reference,
  options?: OptionsFor<Reference>,
  names?: ReferenceOptions<Alias>,
): LazyTool<NoInfer<Alias>, Named<Referred<Reference>, NoInfer<Alias>>>
export function tool(
  reference: Referable | ReferableToolset,
  options?: OptionsSource,
  names: ReferenceOptions = {},
): LazyTool | ReferableToolset {
  if (isLazy(reference)) {
    const { name, card } = reference
    return toReference({ name, definition: (loading) => reference[LAZY](loading), card }, options, names.as)
  }
  if (isTool(reference) || isToolFactory(reference)) {
    const card = isTool(reference) ? undefined : reference.card
    return toReference({ name: reference.name, definition: async () => reference, card }, options, names.as)
  }
  if (isToolSource(reference) || isLazyToolset(reference))
    return asItIs(reference, options !== undefined || names.as !== undefined)
  throw new RegistryError(
    'invalid_entry',
    `tool: pass a tool, a toolset, a lazy() tool or a factory made with defineToolFactory, got ${kindOf(reference)}.`,
  )
}

/** The tool that a reference refers to, and how to load that tool. */
export interface Target {
  readonly name: string
  readonly definition: (options?: LoadOptions) => Promise<Definition>
  readonly card: ToolCard | undefined
}

export function toReference({ name, definition, card }: Target, options: OptionsSource | undefined, as?: string): LazyTool {
  return toLazy(
    as ?? name,
    definition as LazyTool[typeof LAZY],
    async (loading) => named(await configured(await definition(loading), options), as),
    // Searches return the name that the agent can call the tool by.
    card && { ...card, name: as ?? name },
  )
}

function asItIs<Toolset extends ReferableToolset>(toolset: Toolset, isConfigured: boolean): Toolset {
  if (!isConfigured) return toolset
  const owner = toolset.name === undefined ? 'the toolset' : `toolset "${toolset.name}"`
  throw new RegistryError(
    'invalid_entry',
    `tool: ${owner} takes no options and cannot be renamed. Configure it where you create it.`,
  )
}

/** Creates a tool from a definition and options. Refuses options for a tool that takes none, because they would be silently ignored. */
async function configured(definition: Definition, options: OptionsSource | undefined): Promise<Tool> {
  if (isToolFactory(definition)) return createConfigured(definition, options)
  if (options === undefined) return definition
  throw new LoadError('invalid_options', 'It is a tool, not a factory, so it takes no options.', {
    fix: `Remove the options, or make it a factory: defineToolFactory({ name: '${definition.name}', … })`,
  })
}

function named(tool: Tool, as: string | undefined): Tool {
  return as === undefined || as === tool.name ? tool : deriveTool(tool, { name: as })
}

/** The name patterns that match a name, such as `'memory_*'` for `memory_store`. */
export type PrefixOf<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}_*` | `${Head}_${PrefixOf<Tail>}`
  : never

/** A tool name, or the start of tool names followed by `*`: `'get_weather'`, `'memory_*'`. */
export type NamePattern<Name extends string> = Name | PrefixOf<Name>

/** Returns the names that match a pattern. */
export function namesMatching(pattern: string, names: Iterable<string>): readonly string[] {
  return [...names].filter((name) => matchesName(pattern, name))
}
