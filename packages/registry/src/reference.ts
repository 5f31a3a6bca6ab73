/** A tool as an agent's list names it: under another name, or configured. */
import { deriveTool, isTool, type Tool } from '@x/tool-core'
import { LoadError, RegistryError } from './errors.ts'
import { createConfigured, isToolFactory, type OptionsSource, type ToolFactory } from './factory.ts'
import { type Definition, isLazy, LAZY, type LazyTool, type LoadOptions, toLazy } from './lazy.ts'

/** What can be referred to. */
export type Referable<Name extends string = string> = Tool<Name> | ToolFactory<Name, never> | LazyTool<Name>

export interface ReferenceOptions<Name extends string = string> {
  /** The name under which the agent has the tool; its own unless told. */
  readonly as?: Name | undefined
}

/** What a tool is configured with, where it is a factory. */
type OptionsFor<Reference> = Reference extends ToolFactory<string, infer Options> ? OptionsSource<Options> : OptionsSource

/**
 * A reference for an agent's list: a tool, a lazy tool or a factory, with options for a factory and, if you like, another name.
 * Nothing is imported, and a callback for options not called, before the agent is created. Two references to one factory are two
 * tools, and so are two agents' tools of one reference. Throws `RegistryError('invalid_entry')` for what is no tool.
 */
export function tool<
  Name extends string,
  const Reference extends Referable<Name>,
  const Alias extends string = Reference['name'],
>(reference: Reference, options?: OptionsFor<Reference>, { as }: ReferenceOptions<Alias> = {}): LazyTool<Alias> {
  const definition = definitionOf(reference)
  return toLazy(
    (as ?? reference.name) as Alias,
    definition as LazyTool<Alias>[typeof LAZY],
    async (loading) => named(await configured(await definition(loading), options), as) as Tool<Alias>,
    isLazy(reference) ? reference.card : undefined,
  )
}

function definitionOf(reference: unknown): (options?: LoadOptions) => Promise<Definition> {
  if (isLazy(reference)) return reference[LAZY]
  if (isTool(reference) || isToolFactory(reference)) return async () => reference
  throw new RegistryError('invalid_entry', 'tool: give a tool, a lazy() tool or a factory made with defineToolFactory.')
}

/** Options for a tool that takes none would be lost without a word. */
async function configured(definition: Definition, options: OptionsSource | undefined): Promise<Tool> {
  if (isToolFactory(definition)) return createConfigured(definition, options)
  if (options === undefined) return definition
  throw new LoadError(
    'invalid_options',
    `It takes no options: it is a tool, not a factory. Export defineToolFactory({ name: '${definition.name}', … }) instead.`,
  )
}

function named(tool: Tool, as: string | undefined): Tool {
  return as === undefined || as === tool.name ? tool : deriveTool(tool, { name: as })
}
