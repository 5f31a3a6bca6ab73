/** Where a name is looked for: a registry's own list, what a resolver finds, the list of a parent. */
import { isTool, type Tool } from '@x/tool-core'
import type { NamedEntry } from './entries.ts'
import { LoadError, RegistryError } from './errors.ts'
import { isLazy, type LazyTool, type LoadOptions } from './lazy.ts'
import type { LazyToolset } from './lazy-toolset.ts'
import type { NameTable } from './name-table.ts'

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
  /** As an error names it. */
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
  list(
    pattern: string,
    options: LoadOptions,
    onLoaded?: ((name: string, loadMs: number) => void) | undefined,
  ): Promise<void> | undefined
}

export function tablePlace(registry: string, table: NameTable): Place {
  return {
    table,
    describe: () => describeNames(`Registry "${registry}"`, table.spellings),
    names: () => table.names,
    spellings: () => table.spellings,
    nameOf: (name) => table.get(name)?.name,
    find: (name) => table.get(name),
    known: (name) => table.get(name),
    instructions: () => table.instructions,
    instructionsFor: (name) => table.instructionsFor(name),
    version: () => table.version,
    list(pattern, options, onLoaded) {
      if (!table.hasUnlisted) return undefined
      const toolsets = table.unlisted.filter(({ name }) => mayBring(name, pattern))
      if (toolsets.length === 0) return undefined
      const list = async (toolset: LazyToolset) => {
        const told = onLoaded && ((loadMs: number) => onLoaded(toolset.name, loadMs))
        table.list(toolset, await toolset.load({ ...options, onLoaded: told }))
      }
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
  const names = () => resolver.names?.() ?? []
  return {
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
      const found: unknown = resolver.find(name)
      return found instanceof Promise ? found.then((entry) => checked(resolver, name, entry)) : checked(resolver, name, found)
    },
    known: () => undefined,
    instructions: () => [],
    instructionsFor: () => undefined,
    // Nobody tells when its names change, so they always count as new: NaN is no number twice.
    version: () => (resolver.names === undefined ? 0 : Number.NaN),
    list: () => undefined,
  }
}

/** Another tool than was asked for would take the place of one that is there. */
function checked(resolver: NamedResolver, name: string, found: unknown): NamedEntry | undefined {
  if (found === undefined) return undefined
  if (!isTool(found) && !isLazy(found)) {
    throw new LoadError('invalid_module', `The resolver "${resolver.name}" gave no tool and no lazy() tool.`)
  }
  if (found.name === name) return found
  throw new LoadError('wrong_name', `The resolver "${resolver.name}" gave a tool named "${found.name}".`)
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
