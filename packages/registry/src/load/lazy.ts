/** A tool that has a name now, and a module later. */
import { isTool, isToolSource, type Tool } from '@x/tool-core'
import { describeThrown, LoadError, RegistryError } from '../errors.ts'
import { assertCard, type ToolCard } from '../search/card.ts'
import { createConfigured, isToolFactory, type ToolFactory } from './factory.ts'
import type { LoaderContext, LoadOptions } from './load-options.ts'
import { ModuleLoader } from './module-loader.ts'

/** What a loader may give: a tool, a factory of it, or a module that exports one as default. */
export type Loaded<Name extends string> = Definition<Name> | { readonly default: Definition<Name> }

/** A tool as it is, or as it will be made when it is resolved. */
export type Definition<Name extends string = string> = Tool<Name> | ToolFactory<Name>

export type Loader<Name extends string> = (context: LoaderContext) => Promise<Loaded<Name>>

export type { LoaderContext, LoadOptions } from './load-options.ts'

/** Marks a lazy tool, also of another copy of this package; holds the way to its definition. */
export const LAZY: unique symbol = Symbol.for('@x/registry/lazy') as never

export interface LazyTool<Name extends string = string> {
  readonly [LAZY]: (options?: LoadOptions) => Promise<Definition<Name>>
  readonly name: Name
  /** What is known before the import, for the search. */
  readonly card?: ToolCard | undefined
  /** The tool, once it is there; never of a factory, which makes another one each time. */
  readonly loaded?: Tool<Name> | undefined
  /**
   * Imports once, also for many callers at a time; a failure is not remembered. A caller waits for `timeoutMs` and no longer; the
   * attempt goes on for those who still wait, and the next call begins another. A factory makes another tool for each call.
   */
  load(options?: LoadOptions): Promise<Tool<Name>>
}

/**
 * Names a tool now; `load` runs when an agent that needs it is created. A closure is the place for its configuration. The card
 * lets a search find the tool before it is imported. Only what `load` imports is ever imported: names never reach `import()`.
 */
export function lazy<const Name extends string>(
  name: Name,
  load: (context: LoaderContext) => Promise<Loaded<NoInfer<Name>>>,
  card?: Omit<ToolCard, 'name'>,
): LazyTool<Name> {
  assertLoader(`lazy(${JSON.stringify(name)})`, load)
  const known = card && { name, ...card }
  if (known !== undefined) assertCard(known)
  return new LazyModule(name, load, known)
}

/** Throws `invalid_entry` for a tool or a promise of one, which would be imported at once. */
export function assertLoader(owner: string, load: unknown): void {
  if (typeof load === 'function') return
  throw new RegistryError('invalid_entry', `${owner}: its loader is no function. Write () => import('./file.js').`)
}

/** A class of its own, because ten thousand of them are made at once: what loads it is made when it is needed. */
export class LazyModule<Name extends string = string> implements LazyTool<Name> {
  readonly name: Name
  readonly card: ToolCard | undefined
  readonly #load: Loader<Name>
  #loader: ModuleLoader<Loaded<Name>, Definition<Name>> | undefined

  constructor(name: Name, load: Loader<Name>, card: ToolCard | undefined) {
    this.name = name
    this.card = card
    this.#load = load
    Object.freeze(this)
  }

  get loaded(): Tool<Name> | undefined {
    const found = this.#loader?.loaded
    return isTool(found) ? found : undefined
  }

  get loader(): ModuleLoader<Loaded<Name>, Definition<Name>> {
    this.#loader ??= new ModuleLoader<Loaded<Name>, Definition<Name>>(this.name, this.#load, toDefinition)
    return this.#loader
  }

  [LAZY](options?: LoadOptions): Promise<Definition<Name>> {
    return this.loader.fetch(options)
  }

  async load(options?: LoadOptions): Promise<Tool<Name>> {
    return toTool(await this.loader.fetch(options))
  }
}

/** Without options, for a factory that needs none. */
export function toTool<Name extends string>(definition: Definition<Name>): Tool<Name> | Promise<Tool<Name>> {
  return isTool(definition) ? definition : (createConfigured(definition, undefined) as Promise<Tool<Name>>)
}

export function isLazy(value: unknown): value is LazyTool {
  return typeof value === 'object' && value !== null && typeof (value as Partial<LazyTool>)[LAZY] === 'function'
}

export function toLazy<Name extends string>(
  name: Name,
  definition: LazyTool<Name>[typeof LAZY],
  load: LazyTool<Name>['load'],
  card?: ToolCard,
): LazyTool<Name> {
  return Object.freeze({ [LAZY]: definition, name, card, load })
}

/** Takes the tool or the factory out of what a loader gave. Throws `LoadError`. */
export function toDefinition<Name extends string>(name: string, loaded: unknown): Definition<Name> {
  let found = loaded
  // A CommonJS module that was compiled from `export default` arrives with a default in its default.
  for (let depth = 0; depth < 2 && !isDefinition(found); depth++) found = defaultOf(found)
  if (!isDefinition(found)) throw noDefinition(loaded)
  if (found.name !== name) throw new LoadError('wrong_name', `Its loader gave a tool named "${describeThrown(found.name)}".`)
  return found as Definition<Name>
}

function noDefinition(loaded: unknown): LoadError {
  const isToolset = [loaded, defaultOf(loaded), defaultOf(defaultOf(loaded))].some(isToolSource)
  if (isToolset) return new LoadError('wrong_kind', 'Its loader gave a toolset, not a tool.')
  return new LoadError('invalid_module', `Its loader gave no tool: ${describe(loaded)}.`)
}

function isDefinition(value: unknown): value is Definition {
  return isTool(value) || isToolFactory(value)
}

function defaultOf(loaded: unknown): unknown {
  return (loaded as { default?: unknown } | null | undefined)?.default
}

function describe(loaded: unknown): string {
  if (typeof loaded !== 'object' || loaded === null) return `it gave ${loaded === null ? 'null' : typeof loaded}`
  const keys = Object.keys(loaded)
  return keys.length === 0 ? 'the module exports nothing' : `the module exports ${keys.join(', ')}`
}
