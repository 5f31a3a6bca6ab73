/** The places where a registry looks up a name: its own list, its resolvers, and its parent. */
import { isTool, type Tool } from '@x/tool-core'
import type { NamedEntry } from '../entries.ts'
import { describeThrown, kindOf, LoadError, RegistryError, ToolResolutionError } from '../errors.ts'
import { isLazy, type LazyTool, type LoadOptions } from '../load/lazy.ts'
import { isLazyToolset, type LazyToolset } from '../load/lazy-toolset.ts'
import type { NameTable } from '../names/name-table.ts'

/**
 * Finds tools that the registry's own list doesn't contain, such as those in a plugin folder. Resolvers are called in order, before the
 * parent is searched.
 */
export interface NamedResolver {
  /** The resolver's name in error messages. */
  readonly name: string
  /**
   * Returns the tool, or undefined for an unknown name. If this method throws, the failure is reported as `load_failed`, not as
   * `not_found`.
   */
  find(name: string): Tool | LazyTool | undefined | Promise<Tool | LazyTool | undefined>
  /** Returns the names that the resolver can find, for patterns, suggestions and searches. Default: no names. */
  names?(): Iterable<string>
}

export interface Place {
  /** The table with a registry's own entries. Undefined for a resolver. */
  readonly table?: NameTable | undefined
  /** How error messages name this place: `Registry "app"`. */
  readonly label: string
  /** Returns the label and the names of this place, as text. */
  describe(): string
  names(): Iterable<string>
  /** Returns all names and aliases. */
  spellings(): Iterable<string>
  /** Returns the tool's name for an alias, and a tool's name unchanged. Undefined for an unknown name. */
  nameOf(name: string): string | undefined
  /**
   * Returns true for a known name, except for a toolset's tool while another toolset may have a tool with that name: `shop_eu_pay` of `shop`
   * beside `shop_eu`. Otherwise, a server could take the name of another one's tool by listing its tools first.
   */
  isSettled(name: string): boolean
  find(name: string): NamedEntry | undefined | Promise<NamedEntry | undefined>
  /** Returns the entry for a name. Undefined if only a resolver provides it. */
  known(name: string): NamedEntry | undefined
  /** Returns the instructions for the model from all toolsets in this place. */
  instructions(): readonly string[]
  /** Returns the instructions of a tool's toolset. */
  instructionsFor(name: string): string | undefined
  /** Returns a version number, which each change to the names increases. NaN if changes can't be detected. */
  version(): number
  /** Imports the toolsets that may have tools that match a pattern. Returns a promise for each. */
  list(pattern: string, options: LoadOptions): readonly Promise<void>[]
}

export function tablePlace(registry: string, table: NameTable): Place {
  const label = `Registry "${registry}"`
  return {
    table,
    label,
    describe: () => describeNames(label, table.spellings),
    names: () => table.names,
    spellings: () => table.spellings,
    nameOf: (name) => table.get(name)?.name,
    isSettled: (name) =>
      table.get(name) !== undefined && !(isLazyToolset(table.adderOf(name)) && unlistedIn(table, name).length > 0),
    find: (name) => table.get(name),
    known: (name) => table.get(name),
    instructions: () => table.instructions,
    instructionsFor: (name) => table.instructionsFor(name),
    version: () => table.version,
    list: (pattern, options) =>
      unlistedIn(table, pattern).map(async (toolset) => table.list(toolset, await toolset.load(options))),
  }
}

/** Creates a place from a resolver. Throws `RegistryError` for an invalid resolver. */
export function resolverPlace(resolver: NamedResolver): Place {
  if (typeof resolver?.name !== 'string' || typeof resolver.find !== 'function') {
    throw new RegistryError('invalid_entry', `createRegistry: a resolver must be { name, find(name) }, got ${kindOf(resolver)}.`)
  }
  const label = `Resolver "${resolver.name}"`
  const names = () => asked(resolver, 'names', () => resolver.names?.() ?? [])
  return {
    label,
    describe() {
      try {
        return resolver.names === undefined ? label : describeNames(label, [...names()])
      } catch {
        return label
      }
    },
    names,
    spellings: names,
    nameOf: (name) => ([...names()].includes(name) ? name : undefined),
    isSettled: (name) => [...names()].includes(name),
    find(name) {
      const found: unknown = asked(resolver, 'find', () => resolver.find(name))
      if (!(found instanceof Promise)) return checked(resolver, name, found)
      return found.then(
        (entry) => checked(resolver, name, entry),
        (cause: unknown) => {
          throw ofResolver(resolver, 'find', cause)
        },
      )
    },
    known: () => undefined,
    instructions: () => [],
    instructionsFor: () => undefined,
    // A resolver can't report changes to its names. NaN never equals itself, so the names are always treated as changed.
    version: () => (resolver.names === undefined ? 0 : Number.NaN),
    list: () => [],
  }
}

/** Calls a method of a resolver. If the method throws, the error names the resolver, so that it isn't mistaken for an error of a module. */
function asked<Given>(resolver: NamedResolver, method: 'find' | 'names', ask: () => Given): Given {
  try {
    return ask()
  } catch (cause) {
    throw ofResolver(resolver, method, cause)
  }
}

function ofResolver({ name }: NamedResolver, method: 'find' | 'names', cause: unknown): Error {
  // The resolver may have called another registry. That registry's error already explains the failure.
  if (cause instanceof LoadError || cause instanceof ToolResolutionError) return cause
  const rest = method === 'find' ? ', and that it returns undefined for an unknown name' : ''
  const fix = `Make sure that ${method}() of the resolver "${name}" doesn't throw${rest}. The error's cause has the stack.`
  return new LoadError('load_failed', `${method}() of the resolver "${name}" threw: ${describeThrown(cause)}`, { cause, fix })
}

/** Checks what a resolver has found. Refuses a tool with another name than the requested one, because it could hide another tool. */
function checked(resolver: NamedResolver, name: string, found: unknown): NamedEntry | undefined {
  if (found === undefined) return undefined
  const by = `The resolver "${resolver.name}"`
  if (!isTool(found) && !isLazy(found)) {
    const fix = `Return a tool, a lazy() tool or undefined from find() of the resolver "${resolver.name}".`
    throw new LoadError('invalid_module', `${by} returned neither a tool nor a lazy() tool, but ${kindOf(found)}.`, { fix })
  }
  if (found.name === name) return found
  const fix = `In find() of the resolver "${resolver.name}", return the tool with the requested name, or undefined.`
  throw new LoadError('wrong_name', `${by} returned a tool with a different name, "${found.name}".`, { fix })
}

/** Returns the unlisted toolsets that may have tools that match a pattern. */
function unlistedIn(table: NameTable, pattern: string): readonly LazyToolset[] {
  return table.unlisted.filter(({ name }) => mayBring(name, pattern))
}

/** True if a pattern may match tools of a toolset. For the toolset `memory`, these are `memory_store`, `memory_*` and `*`. */
function mayBring(toolset: string, pattern: string): boolean {
  const prefix = `${toolset}_`
  if (!pattern.endsWith('*')) return pattern.startsWith(prefix)
  const stem = pattern.slice(0, -1)
  return stem.startsWith(prefix) || prefix.startsWith(stem)
}

const MAX_LISTED = 20

function describeNames(place: string, names: readonly string[]): string {
  const more = names.length > MAX_LISTED ? `, … (${names.length} in total)` : ''
  return `${place}: ${names.length === 0 ? 'empty' : names.slice(0, MAX_LISTED).join(', ')}${more}`
}
