/** A tool as an agent's list names it: under another name, or configured; or a toolset. */
import { deriveTool, isTool, isToolSource, type Tool, type ToolSource } from '@x/tool-core'
import { LoadError, RegistryError } from '../errors.ts'
import { createConfigured, isToolFactory, type OptionsSource, type ToolFactory } from '../load/factory.ts'
import { type Definition, isLazy, LAZY, type LazyTool, type LoadOptions, toLazy } from '../load/lazy.ts'
import { isLazyToolset, type LazyToolset } from '../load/lazy-toolset.ts'
import type { ToolCard } from '../search/card.ts'

/** What can be referred to. */
export type Referable<Name extends string = string> = Tool<Name> | ToolFactory<Name, never> | LazyTool<Name>

export interface ReferenceOptions<Name extends string = string> {
  /** The name under which the agent has the tool; its own unless told. */
  readonly as?: Name | undefined
}

/** What a tool is configured with, where it is a factory. */
type OptionsFor<Reference> = Reference extends ToolFactory<string, infer Options> ? OptionsSource<Options> : OptionsSource

/** What brings its tools under names of its own. */
export type ReferableToolset = ToolSource | LazyToolset

/**
 * A reference for an agent's list: a tool, a lazy tool or a factory, with options for a factory and, if you like, another name.
 * Nothing is imported, and a callback for options not called, before the agent is created. Two references to one factory are two
 * tools, and so are two agents' tools of one reference. A toolset is a reference to all of its tools as it is: it is configured
 * where it is made. Throws `RegistryError('invalid_entry')` for what is no tool and no toolset.
 */
export function tool<const Toolset extends ReferableToolset>(toolset: Toolset): Toolset
export function tool<
  Name extends string,
  const Reference extends Referable<Name>,
  const Alias extends string = Reference['name'],
>(reference: Reference, options?: OptionsFor<Reference>, names?: ReferenceOptions<Alias>): LazyTool<NoInfer<Alias>>
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
    'tool: give a tool, a toolset, a lazy() tool or a factory made with defineToolFactory.',
  )
}

/** What is referred to, and how to get at it. */
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
    // A search gives the name under which the tool can be asked for.
    card && { ...card, name: as ?? name },
  )
}

function asItIs<Toolset extends ReferableToolset>(toolset: Toolset, isConfigured: boolean): Toolset {
  if (!isConfigured) return toolset
  const owner = toolset.name === undefined ? 'the toolset' : `toolset "${toolset.name}"`
  throw new RegistryError('invalid_entry', `tool: ${owner} takes no options and no other name. Configure it where it is made.`)
}

/** Options for a tool that takes none would be lost without a word. */
async function configured(definition: Definition, options: OptionsSource | undefined): Promise<Tool> {
  if (isToolFactory(definition)) return createConfigured(definition, options)
  if (options === undefined) return definition
  throw new LoadError('invalid_options', `It takes no options: it is a tool, not a factory.`, {
    fix: `Leave the options out, or make it a factory: defineToolFactory({ name: '${definition.name}', … })`,
  })
}

function named(tool: Tool, as: string | undefined): Tool {
  return as === undefined || as === tool.name ? tool : deriveTool(tool, { name: as })
}

type PrefixOf<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}_*` | `${Head}_${PrefixOf<Tail>}`
  : never

/** `'get_weather'` or `'memory_*'`. */
export type NamePattern<Name extends string> = Name | PrefixOf<Name>

/** The names that a pattern stands for; empty when none fits. */
export function namesMatching(pattern: string, names: Iterable<string>): readonly string[] {
  const all = [...names]
  if (!pattern.endsWith('*')) return all.includes(pattern) ? [pattern] : []
  const prefix = pattern.slice(0, -1)
  return all.filter((name) => name.startsWith(prefix))
}
