/** Toolsets that are imported when one of their tools is needed. */
import { isTool, isToolName, isToolSource, type Tool, type ToolSource } from '@x/tool-core'
import { kindOf, LoadError, RegistryError } from '../errors.ts'
import { assertLoader, type LazyTool, type LoaderContext, type LoadOptions, toLazy } from './lazy.ts'
import { ModuleLoader } from './module-loader.ts'

/** What a toolset's loader may return: the toolset, or a module that exports it as default. */
export type LoadedToolset = ToolSource | { readonly default: ToolSource }

const LAZY_TOOLSET: unique symbol = Symbol.for('@x/registry/lazy-toolset') as never

/** Tools of one module, imported together. */
export interface LazyToolset<Name extends string = string> {
  readonly [LAZY_TOOLSET]: true
  readonly name: string
  /** The tool names, if given. Without them, the first look-up of a name that starts with the toolset's name imports it. */
  readonly names: readonly Name[] | undefined
  /** Its instructions for the model, once it is imported. */
  readonly instructions: string | undefined
  /** Loads all tools, once for all callers. A failure is not cached. */
  load(options?: LoadOptions): Promise<readonly Tool[]>
}

/**
 * Declares a toolset; `load` runs when one of its tools is resolved. With `names`, such as `memory_store`, its tools are listed,
 * typed and found before the import. Throws `RegistryError('invalid_entry')`.
 */
export function lazyToolset<const Name extends string, const ToolName extends `${Name}_${string}` = `${Name}_${string}`>(
  name: Name,
  load: (context: LoaderContext) => Promise<LoadedToolset>,
  names?: readonly ToolName[],
): LazyToolset<ToolName> {
  const owner = `lazyToolset(${JSON.stringify(name)})`
  if (!isToolName(name))
    throw new RegistryError('invalid_entry', `${owner}: the name is not a valid toolset name. Use letters, digits and "_".`)
  assertLoader(owner, load)
  if (names !== undefined && !Array.isArray(names))
    throw new RegistryError(
      'invalid_entry',
      `${owner}: its tool names must be an array, got ${kindOf(names)}. Write ["${name}_…"].`,
    )
  const wrong = names?.find((tool) => !isToolName(tool) || !tool.startsWith(`${name}_`))
  if (wrong !== undefined) {
    throw new RegistryError(
      'invalid_entry',
      `${owner}: "${wrong}" is not a valid name for one of its tools. Tool names must start with "${name}_".`,
    )
  }
  let source: ToolSource | undefined
  const loader = new ModuleLoader(name, load, async (_, loaded: LoadedToolset) => {
    const found = toSource(loaded)
    const tools = await toolsOf(name, found)
    source = found
    return tools
  })
  return Object.freeze({
    [LAZY_TOOLSET]: true as const,
    name,
    names: names && Object.freeze([...names]),
    get instructions() {
      return source?.instructions
    },
    load: (options?: LoadOptions) => loader.fetch(options),
  })
}

export function isLazyToolset(value: unknown): value is LazyToolset {
  return typeof value === 'object' && value !== null && (value as Partial<LazyToolset>)[LAZY_TOOLSET] === true
}

/** A lazy tool for each known name. Resolving any of them imports the toolset. */
export function membersOf(toolset: LazyToolset): readonly LazyTool[] {
  return (toolset.names ?? []).map((name) => {
    const load = async (options?: LoadOptions) => pick(toolset, name, await toolset.load(options))
    return toLazy(name, load, load)
  })
}

function pick({ name: toolset }: LazyToolset, name: string, tools: readonly Tool[]): Tool {
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool !== undefined) return tool
  const message = `The toolset "${toolset}" has no tool with this name. It has: ${tools.map((one) => one.name).join(', ') || 'none'}.`
  throw new LoadError('wrong_name', message, {
    fix: `Pass only names of tools that the toolset has to lazyToolset('${toolset}', …).`,
  })
}

function toSource(loaded: LoadedToolset): ToolSource | undefined {
  const candidates = [loaded, (loaded as { default?: unknown } | null | undefined)?.default]
  if (candidates.some(isTool)) throw new LoadError('wrong_kind', 'Its loader returned a tool, not a toolset.')
  return candidates.find(isToolSource)
}

async function toolsOf(name: string, source: ToolSource | undefined): Promise<readonly Tool[]> {
  const tools: unknown = await source?.tools()
  if (!Array.isArray(tools) || !tools.every(isTool)) throw noToolset(name, tools)
  const stranger = tools.find((tool) => !tool.name.startsWith(`${name}_`))
  if (stranger === undefined) return tools
  const fix = `Pass the name of the exported toolset to lazyToolset(). With "${name}", all tool names must start with "${name}_".`
  throw new LoadError('wrong_name', `The toolset "${name}" contains a tool named "${stranger.name}".`, { fix })
}

function noToolset(name: string, tools: unknown): LoadError {
  const fix = `Export the toolset "${name}" as default: any object whose tools() returns its tools.`
  return new LoadError('invalid_module', `Its loader did not return a toolset: tools() returned ${kindOf(tools)}.`, { fix })
}
