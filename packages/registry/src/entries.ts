/** What a registry is made of, checked one by one. */
import { isTool, isToolName, isToolSource, type NameOf, type Tool, type ToolSource } from '@x/tool-core'
import { RegistryError } from './errors.ts'
import { isToolFactory, type ToolFactory } from './load/factory.ts'
import { isLazy, type LazyTool } from './load/lazy.ts'
import { isLazyToolset, type LazyToolset, membersOf } from './load/lazy-toolset.ts'

/** A source must list its tools at once; one that lists them asynchronously is refused with the way out. */
export type RegistryEntry = Tool | ToolSource | LazyTool | LazyToolset | ToolFactory<string, never>

/** The names that an entry brings. */
export type EntryName<Entry> =
  Entry extends LazyTool<infer Name>
    ? Name
    : Entry extends LazyToolset<infer Name>
      ? Name
      : Entry extends ToolFactory<infer Name, never>
        ? Name
        : Entry extends { tools(): readonly (infer T)[] }
          ? NameOf<T>
          : Entry extends Tool<infer Name>
            ? Name
            : string

/** What stands behind one name. */
export type NamedEntry = Tool | LazyTool | ToolFactory

/** An entry as it was given; who brings a name is put into words only for an error. */
export interface Given {
  readonly entry: RegistryEntry
  readonly position: number
  /** What took it: `createRegistry`, or a method. */
  readonly where: string
  /** Which call of `where`, counted from 1: two places may register. */
  readonly call?: number | undefined
  /** The registry that it was merged from. */
  readonly registry?: string | undefined
}

/** What stands behind the names that an entry brings: itself, or several. Throws `RegistryError` for what is no entry. */
export function namedEntriesOf(entry: RegistryEntry, position: number, where: string): NamedEntry | readonly NamedEntry[] {
  if (isTool(entry)) return entry
  if (isLazy(entry)) {
    if (isToolName(entry.name)) return entry
    throw new RegistryError('invalid_entry', `lazy(${JSON.stringify(entry.name)}): invalid tool name.`)
  }
  if (isToolFactory(entry)) return entry
  if (isLazyToolset(entry)) return membersOf(entry)
  const tools = isToolSource(entry) && !isRegistry(entry) ? entry.tools() : undefined
  if (!Array.isArray(tools) || !tools.every(isTool)) throw invalidEntry(entry, position, tools, where)
  return tools
}

/** What a toolset says to a model about its tools; a lazy one once it was imported. */
export function instructionsOf({ entry }: Given): string | undefined {
  if (isLazyToolset(entry)) return entry.instructions
  return isToolSource(entry) && !isTool(entry) ? entry.instructions : undefined
}

/** As an error names the one who brings a name. */
export function ownerOf({ entry, position, where, call, registry }: Given): string {
  const batch = where === 'createRegistry' ? '' : ` of ${where}${call === undefined ? '' : ` call ${call}`}`
  return `entry ${position}${batch} (${kindOf(entry)})${registry === undefined ? '' : ` of registry "${registry}"`}`
}

function kindOf(entry: RegistryEntry): string {
  if (isTool(entry)) return entry.module === undefined ? 'a tool' : `a tool of ${entry.module}`
  if (isLazy(entry)) return 'lazy'
  if (isToolFactory(entry)) return 'a factory'
  if (isLazyToolset(entry)) return `lazy toolset "${entry.name}"`
  const { name } = entry as ToolSource
  return name === undefined ? 'a tool source' : `toolset "${name}"`
}

/** Its `tools()` gives references, or nothing as long as it is empty. */
function isRegistry(entry: object): boolean {
  return typeof (entry as { toRequestTools?: unknown }).toRequestTools === 'function'
}

function invalidEntry(entry: unknown, position: number, tools: unknown, where: string): RegistryError {
  if (tools instanceof Promise) tools.catch(() => {}) // nobody waits for it any more
  const fix =
    tools instanceof Promise
      ? 'is a source that lists its tools asynchronously: await source.tools() and spread the result'
      : `is no tool, toolset or lazy(), but ${describe(entry)}`
  return new RegistryError('invalid_entry', `${where}: entry ${position} ${fix}.`)
}

/** What it is, and what to do about it. */
function describe(entry: unknown): string {
  if (entry === undefined) return 'undefined. Look at where it is imported from: the name, or a circle of imports'
  if (entry === null) return 'null. Leave it out'
  if (typeof entry === 'string')
    return `the text ${JSON.stringify(entry.slice(0, 64))}. Give the tool itself, not its name; of a registry, registry.tool(name)`
  if (typeof entry === 'function') return 'a function. Give what it makes; of a class, an instance'
  if (entry instanceof Promise) return 'a promise. Await it'
  if (Array.isArray(entry)) return 'a list. Spread it: ...tools'
  if (typeof entry !== 'object') return `a ${typeof entry}. Make it with defineTool, a Toolset or lazy`
  if (isRegistry(entry)) return 'a registry. Give it as { parent }, or merge it'
  if (Array.isArray((entry as Partial<ToolSource>).tools)) return 'a source whose tools is a list. Write tools: () => list'
  if (isToolSource(entry)) return 'a source whose tools() gives no list of tools. Make them with defineTool'
  return 'an object. Make it with defineTool, a Toolset or lazy'
}
