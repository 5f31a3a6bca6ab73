/** Where a name is looked for: a registry's own list, what a resolver finds, the list of a parent. */
import { isTool, type Tool } from '@x/tool-core'
import type { NamedEntry } from '../entries.ts'
import { describeThrown, LoadError, RegistryError, ToolResolutionError } from '../errors.ts'
import { isLazy, type LazyTool, type LoadOptions } from '../load/lazy.ts'
import type { LazyToolset } from '../load/lazy-toolset.ts'
import type { NameTable } from '../names/name-table.ts'

/** Finds what a list does not hold: a namespace of yours, a plugin folder. Asked in its order, before the parent. */
export interface NamedResolver {
  /** Shown in errors as a place that was searched. */
  readonly name: string
  /** Undefined for a name that it does not know. What it throws is a failure to load, never "not found". */
  find(name: string): Tool | LazyTool | undefined | Promise<Tool | LazyTool | undefined>
  /** The names that it knows, for patterns, suggestions and the search; none unless told. */
  names?(): Iterable<string>
}

export interface Place {
  /** Of a registry's own list. */
  readonly table?: NameTable | undefined
  /** As an error names it: `Registry "app"`. */
  readonly label: string
  /** The same with what it holds. */
  describe(): string
  names(): Iterable<string>
  /** The names and their aliases. */
  spellings(): Iterable<string>
  /** The name behind an alias, or the name itself; undefined for neither. */
  nameOf(name: string): string | undefined
  find(name: string): NamedEntry | undefined | Promise<NamedEntry | undefined>
  /** What is known of a name without asking anybody. */
  known(name: string): NamedEntry | undefined
  /** What its toolsets have to say to a model. */
  instructions(): readonly string[]
  /** What the toolset of one tool has to say. */
  instructionsFor(name: string): string | undefined
  /** Another number after each change of the names. */
  version(): number
  /** Imports the toolsets that may bring what a pattern means. */
  list(pattern: string, options: LoadOptions): Promise<void> | undefined
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
    find: (name) => table.get(name),
    known: (name) => table.get(name),
    instructions: () => table.instructions,
    instructionsFor: (name) => table.instructionsFor(name),
    version: () => table.version,
    list(pattern, options) {
      if (!table.hasUnlisted) return undefined
      const toolsets = table.unlisted.filter(({ name }) => mayBring(name, pattern))
      if (toolsets.length === 0) return undefined
      const list = async (toolset: LazyToolset) => table.list(toolset, await toolset.load(options))
      return Promise.all(toolsets.map(list)).then(() => {})
    },
  }
}

/** Throws for what is no resolver. */
export function resolverPlace(resolver: NamedResolver): Place {
  if (typeof resolver?.name !== 'string' || typeof resolver.find !== 'function') {
    throw new RegistryError('invalid_entry', 'createRegistry: a resolver must be { name, find(name) }.')
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
    // Nobody tells when its names change, so they always count as new: NaN is no number twice.
    version: () => (resolver.names === undefined ? 0 : Number.NaN),
    list: () => undefined,
  }
}

/** What a resolver throws is told as its own failure, and no module's. */
function asked<Given>(resolver: NamedResolver, method: 'find' | 'names', ask: () => Given): Given {
  try {
    return ask()
  } catch (cause) {
    throw ofResolver(resolver, method, cause)
  }
}

function ofResolver({ name }: NamedResolver, method: 'find' | 'names', cause: unknown): Error {
  // It may ask another registry, which knows why.
  if (cause instanceof LoadError || cause instanceof ToolResolutionError) return cause
  const rest = method === 'find' ? ', and give undefined for a name that it does not know' : ''
  const fix = `Let ${method}() of the resolver "${name}" end without an error${rest}; the error's cause has the stack.`
  return new LoadError('load_failed', `${method}() of the resolver "${name}" threw: ${describeThrown(cause)}`, { cause, fix })
}

/** Another tool than was asked for would take the place of one that is there. */
function checked(resolver: NamedResolver, name: string, found: unknown): NamedEntry | undefined {
  if (found === undefined) return undefined
  const by = `The resolver "${resolver.name}"`
  if (!isTool(found) && !isLazy(found)) {
    const fix = `Let find() of the resolver "${resolver.name}" give a tool, a lazy() tool or undefined.`
    throw new LoadError('invalid_module', `${by} gave no tool and no lazy() tool.`, { fix })
  }
  if (found.name === name) return found
  const fix = `Let find() of the resolver "${resolver.name}" give the tool of the name that it is asked for, or undefined.`
  throw new LoadError('wrong_name', `${by} gave a tool named "${found.name}".`, { fix })
}

/** `memory_store`, `memory_*` and `*` may mean a tool of `memory`. */
function mayBring(toolset: string, pattern: string): boolean {
  const prefix = `${toolset}_`
  if (!pattern.endsWith('*')) return pattern.startsWith(prefix)
  const stem = pattern.slice(0, -1)
  return stem.startsWith(prefix) || prefix.startsWith(stem)
}

const MAX_LISTED = 20

function describeNames(place: string, names: readonly string[]): string {
  const more = names.length > MAX_LISTED ? `, … (${names.length} in all)` : ''
  return `${place}: ${names.length === 0 ? 'empty' : names.slice(0, MAX_LISTED).join(', ')}${more}`
}
