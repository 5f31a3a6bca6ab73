/** Validates the entries of a registry. */
import {
  isCombinedSource,
  isTool,
  isToolName,
  isToolSource,
  type NameOf,
  SOURCE_PARTS,
  type Tool,
  type ToolSource,
} from '@x/tool-core'
import { RegistryError } from './errors.ts'
import { isToolFactory, type ToolFactory } from './load/factory.ts'
import { isLazy, type LazyTool } from './load/lazy.ts'
import { isLazySource, type LazySource, toolsetOf } from './load/lazy-source.ts'
import { isLazyToolset, type LazyToolset, membersOf } from './load/lazy-toolset.ts'

/**
 * Anything that a registry can contain. A tool source must list its tools synchronously, have cards, or combine such sources. Other sources
 * are refused.
 */
export type RegistryEntry = Tool | ToolSource | LazySource | LazyTool | LazyToolset | ToolFactory<string, never>

/** The tool names that an entry provides. */
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

/** The tools that an entry provides, as a union of types. */
type EntryTool<Entry> =
  Entry extends LazyTool<string, infer T>
    ? T
    : Entry extends LazyToolset<infer Name>
      ? AnyTool<Name>
      : Entry extends ToolFactory<string, never, infer T>
        ? T
        : Entry extends { tools(): readonly (infer T extends Tool)[] }
          ? T
          : Entry extends Tool
            ? Entry
            : Tool

type AnyTool<Name> = Name extends string ? Tool<Name> : never

/** A map from names to tools. */
export type NamedTools = { readonly [name: string]: Tool }

/** The tools of several entries, as a map from names to tools. */
export type ToolsIn<Entries extends readonly unknown[]> = ByName<EntryTool<Entries[number]>>

export type ByName<T extends Tool> = { readonly [One in T as One['name']]: One }

/** The entry, or the member of an entry, that a name refers to. */
export type NamedEntry = Tool | LazyTool | ToolFactory

/** An entry and its origin. The origin is formatted only for an error message. */
export interface Given {
  readonly entry: RegistryEntry
  readonly position: number
  /** The function or method that added the entry, such as `createRegistry`. */
  readonly where: string
  /** Which call to `where` added the entry, counted from 1. */
  readonly call?: number | undefined
  /** Name of the registry that the entry was merged from. */
  readonly registry?: string | undefined
}

/** Calls `take` with each part of a combined source, or with any other entry, after converting it with `toEntry`. */
export function forEachEntry(given: RegistryEntry, take: (entry: RegistryEntry) => void): void {
  if (!isCombinedSource(given)) take(toEntry(given))
  else for (const part of given[SOURCE_PARTS]) forEachEntry(part, take)
}

/** Converts a source with cards to a lazy toolset. Returns any other entry unchanged. */
export function toEntry(given: RegistryEntry): RegistryEntry {
  if (isLazy(given) || isTool(given) || isLazyToolset(given)) return given
  return isLazySource(given) && !isRegistry(given) ? toolsetOf(given) : given
}

/**
 * Returns a map from the names that an entry provides to the entry itself, or to its members. Throws `RegistryError` for an invalid entry.
 */
export function namedEntriesOf(entry: RegistryEntry, position: number, where: string): NamedEntry | readonly NamedEntry[] {
  if (isTool(entry)) return entry
  if (isLazy(entry)) {
    if (isToolName(entry.name)) return entry
    throw new RegistryError(
      'invalid_entry',
      `lazy(${JSON.stringify(entry.name)}): the name is not a valid tool name. Use letters, digits and "_".`,
    )
  }
  if (isToolFactory(entry)) return entry
  if (isLazyToolset(entry)) return membersOf(entry)
  const tools = isToolSource(entry) && !isRegistry(entry) ? entry.tools() : undefined
  if (!Array.isArray(tools) || !tools.every(isTool)) throw invalidEntry(entry, position, tools, where)
  return tools
}

/** Returns a toolset's instructions for the model. A lazy toolset has none before it is imported. */
export function instructionsOf({ entry }: Given): string | undefined {
  if (isLazyToolset(entry)) return entry.instructions
  return isToolSource(entry) && !isTool(entry) ? entry.instructions : undefined
}

/** Describes an entry and where it comes from, for an error message. */
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

/**
 * True for a registry. A registry has a method `tools()` too, but that method returns references, so a registry isn't accepted as a source.
 */
function isRegistry(entry: object): boolean {
  return typeof (entry as { toRequestTools?: unknown }).toRequestTools === 'function'
}

function invalidEntry(entry: unknown, position: number, tools: unknown, where: string): RegistryError {
  if (tools instanceof Promise) tools.catch(() => {}) // The promise isn't awaited anywhere else, so a rejection would be unhandled.
  const fix =
    tools instanceof Promise
      ? 'is a source that lists its tools asynchronously. Await source.tools() and spread the result'
      : `must be a tool, a toolset or lazy(), got ${describe(entry)}`
  return new RegistryError('invalid_entry', `${where}: entry ${position} ${fix}.`)
}

/** Describes an invalid entry and how to fix it. */
function describe(entry: unknown): string {
  if (entry === undefined) return 'undefined. Check the import: the exported name may be wrong, or the imports may be circular'
  if (entry === null) return 'null. Leave it out'
  if (typeof entry === 'string')
    return `the string ${JSON.stringify(entry.slice(0, 64))}. Pass the tool itself, or registry.tool('${isToolName(entry) ? entry : 'name'}')`
  if (typeof entry === 'function') return 'a function. Pass its return value, or an instance of the class'
  if (entry instanceof Promise) return 'a promise. Await it'
  if (Array.isArray(entry)) return 'an array. Spread it: ...tools'
  if (typeof entry !== 'object') return `a ${typeof entry}. Create it with defineTool, a Toolset or lazy`
  if (isRegistry(entry)) return 'a registry. Pass it as { parent }, merge it, or spread its references: ...registry.tools()'
  if (Array.isArray((entry as Partial<ToolSource>).tools))
    return 'a source with an array in place of tools(). Write tools: () => array'
  if (isToolSource(entry)) return 'a source whose tools() does not return an array of tools. Create the tools with defineTool'
  return 'an object. Create it with defineTool, a Toolset or lazy'
}
