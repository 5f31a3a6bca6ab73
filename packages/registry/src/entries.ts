/** What a registry is made of, checked and listed by name. */
import { isTool, isToolName, type NameOf, type Tool, type ToolSource } from '@x/tool-core'
import { RegistryError } from './errors.ts'
import { isLazy, type LazyTool } from './lazy.ts'

/** A source must list its tools at once; one that lists them asynchronously is refused with the way out. */
export type RegistryEntry = Tool | ToolSource | LazyTool

/** The names that an entry brings. */
export type EntryName<Entry> =
  Entry extends LazyTool<infer Name>
    ? Name
    : Entry extends { tools(): readonly (infer T)[] }
      ? NameOf<T>
      : Entry extends Tool<infer Name>
        ? Name
        : string

export type NamedEntry = Tool | LazyTool

/** Every tool of the entries under its name, in their order. Throws for a name taken twice, naming both owners. */
export function collectEntries(entries: readonly RegistryEntry[]): ReadonlyMap<string, NamedEntry> {
  if (!Array.isArray(entries))
    throw new RegistryError('invalid_entry', 'createRegistry: entries must be a list: createRegistry([tool]).')
  const known = new Map<string, NamedEntry>()
  const owners = new Map<string, { entry: NamedEntry; name: string; owner: string }>()
  for (const [position, given] of entries.entries()) {
    for (const { entry, owner } of expand(given, position)) {
      const earlier = owners.get(entry.name.toLowerCase())
      if (earlier?.entry === entry) continue
      if (earlier !== undefined) throw duplicate(earlier, { name: entry.name, owner })
      owners.set(entry.name.toLowerCase(), { entry, name: entry.name, owner })
      known.set(entry.name, entry)
    }
  }
  return known
}

function expand(given: RegistryEntry, position: number): readonly { entry: NamedEntry; owner: string }[] {
  if (isTool(given)) return [{ entry: given, owner: `entry ${position} (a tool)` }]
  if (isLazy(given)) {
    if (!isToolName(given.name))
      throw new RegistryError('invalid_entry', `lazy(${JSON.stringify(given.name)}): invalid tool name.`)
    return [{ entry: given, owner: `entry ${position} (lazy)` }]
  }
  const tools = isSource(given) ? given.tools() : undefined
  if (!Array.isArray(tools) || !tools.every(isTool)) throw invalidEntry(position, tools)
  const owner = `entry ${position} (${describeSource(given)})`
  return tools.map((entry) => ({ entry, owner }))
}

/** What the sources among the entries have to say to a model. */
export function instructionsOf(entries: readonly RegistryEntry[]): readonly string[] {
  return entries.flatMap((entry) => (isSource(entry) && entry.instructions !== undefined ? [entry.instructions] : []))
}

function isSource(value: unknown): value is ToolSource {
  return typeof value === 'object' && value !== null && typeof (value as Partial<ToolSource>).tools === 'function'
}

function describeSource({ name }: { readonly name?: string | undefined }): string {
  return name === undefined ? 'a tool source' : `toolset "${name}"`
}

function invalidEntry(position: number, tools: unknown): RegistryError {
  if (tools instanceof Promise) tools.catch(() => {}) // nobody waits for it any more
  const fix =
    tools instanceof Promise
      ? 'is a source that lists its tools asynchronously: await source.tools() and spread the result'
      : 'is no tool, toolset or lazy(). Make it with defineTool, a Toolset or lazy'
  return new RegistryError('invalid_entry', `createRegistry: entry ${position} ${fix}.`)
}

interface Owned {
  readonly name: string
  readonly owner: string
}

function duplicate(earlier: Owned, later: Owned): RegistryError {
  const names =
    earlier.name === later.name
      ? `the name "${later.name}"`
      : `names that differ only in case, "${earlier.name}" and "${later.name}"`
  return new RegistryError(
    'duplicate_tool_name',
    `createRegistry: ${earlier.owner} and ${later.owner} both bring ${names}. Leave one out, or rename one.`,
  )
}
